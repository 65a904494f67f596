package dev.berth.agent.node.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.node.machine.WindowsMachine.HostVersion;
import dev.berth.registry.platforms.WindowsRelease;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WindowsMachineTest {
  @ParameterizedTest
  @CsvSource({
    "server-2019, Windows Server 2019 Datacenter, 10.0.17763.805, Windows Server 2019 (10.0.17763)",
    "server-1903, Windows Server Datacenter, 10.0.18362.418,"
        + " 'Windows Server, version 1903 (10.0.18362)'",
    "server-2022, Windows Server 2022 Datacenter, 10.0.20348.2340,"
        + " Windows Server 2022 (10.0.20348)",
    "server-2025, Windows Server 2025 Datacenter, 10.0.26100.2605,"
        + " Windows Server 2025 (10.0.26100)"
  })
  void theRegistrySaysWhichWindowsItIs(String file, String product, String version, String people)
      throws IOException {
    HostVersion host = WindowsMachine.parse(printed(file));

    assertThat(host.product()).isEqualTo(product);
    assertThat(host.full()).isEqualTo(version);
    assertThat(WindowsRelease.product(host.version())).isEqualTo(people);
  }

  @Test
  void theFactsNameTheBuildWithoutTheMonthlyPart(@TempDir Path data) throws IOException {
    MachineInfo facts =
        new WindowsMachine(
                data, key -> key.equals(WindowsMachine.KEY) ? printed("server-2019") : "")
            .facts(4, "amd64");

    assertThat(facts.system()).isEqualTo("windows");
    assertThat(facts.architecture()).isEqualTo("amd64");
    assertThat(facts.windowsBuild()).isEqualTo("10.0.17763");
    assertThat(facts.kernelVersion()).isEqualTo("10.0.17763.805");
    assertThat(facts.systemImage()).isEqualTo("Windows Server 2019 Datacenter");
    assertThat(facts.size().memory()).isPositive();
  }

  @Test
  void aHostWithoutUpdatesHasRevisionZero() throws IOException {
    String output = printed("server-2022").replaceAll("(?m)^ +UBR.*\\R", "");

    assertThat(WindowsMachine.parse(output).full()).isEqualTo("10.0.20348.0");
  }

  @Test
  void whatIsMissingOrWrongIsNamed() throws IOException {
    String output = printed("server-2022");

    assertThatThrownBy(() -> WindowsMachine.parse(output.replace("CurrentBuildNumber", "Other")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not show CurrentBuildNumber");
    assertThatThrownBy(() -> WindowsMachine.parse(output.replace("0xa", "ten")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("CurrentMajorVersionNumber \"ten\", which is not a number");
  }

  private static String printed(String name) throws IOException {
    try (InputStream stream =
        WindowsMachineTest.class.getResourceAsStream("/windows/" + name + ".txt")) {
      return new String(
          Objects.requireNonNull(stream, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}

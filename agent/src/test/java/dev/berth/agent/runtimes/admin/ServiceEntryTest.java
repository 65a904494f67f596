package dev.berth.agent.runtimes.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServiceEntryTest {
  @ParameterizedTest
  @CsvSource({
    "containerd://1.6.20, true",
    "containerd, true",
    "containerd-like://1.0, false",
    "cri-o://1.30.0, false",
    "'', false",
  })
  void theNameOfTheRuntimeDecidesWhatItIs(String version, boolean isContainerd) {
    assertThat(entry(version, "unix:///x").runsContainerd()).isEqualTo(isContainerd);
  }

  @Test
  void onlyAUnixSocketHasAPath() {
    assertThat(entry("", "unix:///run/a.sock").imageSocket()).contains(Path.of("/run/a.sock"));
    assertThat(entry("", "tcp://127.0.0.1:5000").imageSocket()).isEmpty();
    assertThat(entry("", "inprocess://sim").imageSocket()).isEmpty();
  }

  private static ServiceEntry entry(String version, String endpoint) {
    return new ServiceEntry(
        "a",
        "container",
        true,
        "ready",
        "",
        "",
        0,
        version,
        "v1",
        List.of(),
        "",
        endpoint,
        endpoint,
        "");
  }
}

package dev.berth.vm.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NetworkConfigurationsTest {
  private static final String CHAIN =
      """
      {"cniVersion": "0.4.0", "name": "pods", "plugins": [
        {"type": "ptp", "ipam": {"type": "host-local"}},
        {"type": "portmap", "capabilities": {"portMappings": true}}]}
      """;

  @TempDir Path directory;

  private NetworkList first() {
    return new NetworkConfigurations(directory).first();
  }

  private void write(String file, String text) throws IOException {
    Files.writeString(directory.resolve(file), text);
  }

  @Test
  void theFirstFileByNameCounts() throws IOException {
    write("20-late.conflist", "no JSON");
    write("10-early.conflist", CHAIN);
    write("00-readme.txt", "no configuration");
    NetworkList list = first();
    assertThat(list.name()).isEqualTo("pods");
    assertThat(list.plugins()).hasSize(2);
    assertThat(list.mapsPorts()).isTrue();
    assertThat(list.returnsResultOnRemoval()).isTrue();
  }

  @Test
  void aChangeCountsForTheNextPod() throws IOException {
    write("10.conflist", CHAIN);
    assertThat(first().mapsPorts()).isTrue();
    write("10.conflist", CHAIN.replace("true", "false"));
    assertThat(first().mapsPorts()).isFalse();
  }

  @Test
  void onePluginAloneIsAListToo() throws IOException {
    write("10.conf", "{\"cniVersion\": \"0.3.1\", \"name\": \"old\", \"type\": \"bridge\"}");
    assertThat(first().plugins()).hasSize(1);
    assertThat(first().returnsResultOnRemoval()).isFalse();
  }

  @Test
  void theNewestKnownOfSeveralVersionsCounts() throws IOException {
    write(
        "10.conflist",
        CHAIN.replace(
            "\"cniVersion\": \"0.4.0\"", "\"cniVersions\": [\"0.4.0\", \"9.0.0\", \"1.1.0\"]"));
    assertThat(first().cniVersion()).isEqualTo("1.1.0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {                                                     | Unexpected end-of-input
          {"cniVersion": "1.0.0", "type": "ptp"}                | it has no name
          {"cniVersion": "1.0.0", "name": "a", "plugins": []}   | it has no plugins
          {"cniVersion": "1.0.0", "name": "a"}                  | a plugin has no type
          {"cniVersion": "1.0.0", "name": "a", "type": "../sh"} | must be a file name
          {"cniVersion": "0.1.0", "name": "a", "type": "ptp"}   | its cniVersion is 0.1.0 (known: 0.3.0
          """)
  void aMistakeIsNamedWithItsFile(String text, String message) throws IOException {
    write("10.conf", text);
    assertThatThrownBy(this::first)
        .isInstanceOf(NetworkException.class)
        .hasMessageContaining(directory.resolve("10.conf") + " is no CNI configuration: ")
        .hasMessageContaining(message);
  }

  @Test
  void aMissingConfigurationIsNamedWithItsPlace() {
    assertThatThrownBy(this::first)
        .hasMessage(
            "pods in virtual machines have no network: %s has no CNI configuration (*.conflist, *.conf, *.json). Put the configuration there that the containers of this node use"
                .formatted(directory));
  }
}

package dev.berth.registry.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.registry.transport.RegistryEndpoint;
import dev.berth.registry.transport.RegistryEndpoint.EndpointUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class RegistryHostsTest {
  @TempDir private Path directory;
  private final List<String> mistakes = new ArrayList<>();

  @Test
  void mirrorsComeInTheOrderOfTheFileAndTheRegistryLast() throws IOException {
    write(
        "docker.io",
        """
        server = "https://docker.io"
        [host."https://z.example.com"]
          capabilities = ["pull", "resolve"]
        [host."a.example.com:5000"]
          capabilities = ["pull"]
          skip_verify = false
        [host."https://registry-1.docker.io"]
        """);

    List<RegistryEndpoint> endpoints = read().getOrDefault("docker.io", List.of());

    assertThat(mistakes).isEmpty();
    assertThat(endpoints)
        .extracting(endpoint -> endpoint.base().toString())
        .containsExactly(
            "https://z.example.com",
            "https://a.example.com:5000",
            "https://registry-1.docker.io",
            "https://registry-1.docker.io");
    assertThat(endpoints)
        .extracting(RegistryEndpoint::isMirror)
        .containsExactly(true, true, false, false);
    assertThat(endpoints.get(0).uses()).containsExactlyInAnyOrder(EndpointUse.values());
    assertThat(endpoints.get(1).uses()).containsExactly(EndpointUse.PULL);
  }

  @Test
  void aRegistryWithoutServerIsItself() throws IOException {
    write("quay.io", "[host.\"http://localhost:5000\"]\n");
    write("_default", "[host.\"https://cache.example.com\"]\n");
    write("registry.example.com_5000_", "");
    Files.createDirectory(directory.resolve("..data"));
    Files.writeString(directory.resolve("README"), "not a registry");

    Map<String, List<RegistryEndpoint>> read = read();

    assertThat(mistakes).isEmpty();
    assertThat(read.keySet())
        .containsExactlyInAnyOrder("quay.io", "_default", "registry.example.com:5000");
    assertThat(read.get("quay.io"))
        .extracting(endpoint -> endpoint.base().toString())
        .containsExactly("http://localhost:5000", "https://quay.io");
    assertThat(read.get("_default")).singleElement().matches(RegistryEndpoint::isMirror);
  }

  @ParameterizedTest
  @CsvSource({
    "https://a.example.com, false, https://a.example.com",
    "https://a.example.com/, false, https://a.example.com",
    "https://a.example.com/v2/, false, https://a.example.com",
    "https://a.example.com/cache, false, https://a.example.com/cache/v2",
    "https://a.example.com/v2/cache, true, https://a.example.com/v2/cache",
  })
  void thePathIsThatOfTheApi(String url, boolean override, String base) throws IOException {
    write("quay.io", "[host.\"%s\"]\noverride_path = %s\n".formatted(url, override));

    assertThat(read().getOrDefault("quay.io", List.of()).getFirst().base()).hasToString(base);
  }

  static List<Arguments> mistakes() {
    String shape = " must be https://HOST[:PORT][/PATH], or http:// on the loopback interface";
    return List.of(
        Arguments.of(
            "server = \"http://a.example.com\"", "server: \"http://a.example.com\"" + shape),
        Arguments.of(
            "[host.\"https://u:p@a\"]", "host.\"https://u:p@a\": \"https://u:p@a\"" + shape),
        Arguments.of(
            "[host.\"https://a\"]\nskip_verify = true",
            "host.\"https://a\": `skip_verify` must not be true"),
        Arguments.of("dial_timeout = \"3s\"", "`dial_timeout` is not supported"),
        Arguments.of(
            "[host.\"https://a\"]\ncapabilities = [\"fly\"]",
            "host.\"https://a\": capability \"fly\" must be pull, resolve or push"),
        Arguments.of("ca = \"none.pem\"", "`ca` must name PEM files: "),
        Arguments.of("ca = 7", "`ca` must be a list of texts"),
        Arguments.of("host = \"https://a\"", "`host` must be a table of mirrors, such as "),
        Arguments.of("capabilities = [\"pull\"]", "`capabilities` is not supported"),
        Arguments.of("server = \"", "line 1: "));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void everyMistakeIsNamed(String text, String mistake) throws IOException {
    write("quay.io", text);

    read();

    assertThat(mistakes).first().asString().startsWith("quay.io/hosts.toml: " + mistake);
  }

  @Test
  void directoriesAreNamedAfterRegistries() throws IOException {
    write("a b", "");
    write("quay.io_443_", "");
    write("quay.io:443", "");
    Files.createDirectory(directory.resolve("ghcr.io"));

    read();

    assertThat(mistakes)
        .satisfiesExactly(
            one -> assertThat(one).startsWith("directory a b must have the name of a registry"),
            one -> assertThat(one).startsWith("ghcr.io/hosts.toml: cannot be read"),
            one -> assertThat(one).startsWith("registry quay.io:443 has two directories"));
  }

  private Map<String, List<RegistryEndpoint>> read() {
    return RegistryHosts.read(directory, List.of(), mistakes);
  }

  private void write(String host, String text) throws IOException {
    Path file = Files.createDirectories(directory.resolve(host)).resolve("hosts.toml");
    Files.writeString(file, text);
  }
}

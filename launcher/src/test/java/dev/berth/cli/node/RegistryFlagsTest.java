package dev.berth.cli.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.registry.RegistrySettings;
import dev.berth.registry.transport.RegistryEndpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class RegistryFlagsTest {
  @TempDir private Path directory;
  private final List<String> mistakes = new ArrayList<>();

  @Test
  void withoutFlagsThereAreNeitherMirrorsNorAuthorities() {
    RegistrySettings settings = read();

    assertThat(mistakes).isEmpty();
    assertThat(settings.trust()).isNull();
    assertThat(settings.endpoints()).isEmpty();
  }

  @Test
  void mirrorsAndAuthoritiesComeFromFlags() throws IOException {
    Path mirror = writeHosts("first", "https://first.example.com");

    RegistrySettings settings = read("--registry-ca=" + authority(), "--registry-hosts=" + mirror);

    assertThat(mistakes).isEmpty();
    assertThat(settings.trust()).isNotNull();
    assertThat(bases(settings))
        .containsExactly("https://first.example.com", "https://registry-1.docker.io");
  }

  @Test
  void theConfigurationFileOfANodeNamesThemTooAndFlagsCountMore() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("kubelet.yaml"),
            "{registryCAFile: %s, registryHostsDirectory: %s}"
                .formatted(authority(), writeHosts("file", "https://file.example.com")));

    RegistrySettings ofFile = read("--config=" + file);
    RegistrySettings ofFlag =
        read(
            "--config=" + file,
            "--registry-hosts=" + writeHosts("flag", "https://flag.example.com"));

    assertThat(mistakes).isEmpty();
    assertThat(ofFile.trust()).isNotNull();
    assertThat(bases(ofFile)).first().isEqualTo("https://file.example.com");
    assertThat(ofFlag.trust()).isNotNull();
    assertThat(bases(ofFlag)).first().isEqualTo("https://flag.example.com");
  }

  @Test
  void everyMistakeIsTold() throws IOException {
    Path empty = Files.writeString(directory.resolve("empty.pem"), "");
    Path hosts = writeHosts("plain", "http://plain.example.com");

    read("--registry-ca=/none", "--registry-hosts=/none");
    read("--registry-ca=" + empty, "--registry-hosts=" + hosts);

    assertThat(mistakes)
        .containsExactly(
            "--registry-ca=/none: must be a PEM file that this user can read",
            "--registry-hosts=/none: must be a directory that this user can read",
            "--registry-ca=%1$s: must be a PEM file with certificates: %1$s holds no certificate in PEM"
                .formatted(empty),
            ("--registry-hosts=%s: docker.io/hosts.toml: host.\"http://plain.example.com\":"
                    + " \"http://plain.example.com\" must be https://HOST[:PORT][/PATH], or"
                    + " http:// on the loopback interface")
                .formatted(hosts));
  }

  private static List<String> bases(RegistrySettings settings) {
    return settings.endpoints().getOrDefault("docker.io", List.of()).stream()
        .map(RegistryEndpoint::base)
        .map(Object::toString)
        .toList();
  }

  private Path writeHosts(String name, String mirror) throws IOException {
    Path hosts = directory.resolve(name);
    Files.writeString(
        Files.createDirectories(hosts.resolve("docker.io")).resolve("hosts.toml"),
        "[host.\"%s\"]\n".formatted(mirror));
    return hosts;
  }

  /// A certificate that every JDK has.
  private Path authority() throws IOException {
    return JdkAuthority.write(directory.resolve("authority.pem"));
  }

  private RegistrySettings read(String... args) {
    AgentCommand command = new AgentCommand();
    new CommandLine(command).parseArgs(args);
    return command.read(mistakes).agent().traits().registries().settings();
  }
}

package dev.berth.registry.credentials;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DockerConfigTest {
  @ParameterizedTest
  @CsvSource({
    "https://index.docker.io/v1/, docker.io/library/nginx, true",
    "docker.io, docker.io/library/nginx, true",
    "index.docker.io, docker.io/team/app, true",
    "registry.example.com, registry.example.com/a/b, true",
    "https://registry.example.com/v2/, registry.example.com/a/b, true",
    "registry.example.com/a, registry.example.com/a/b, true",
    // As the kubelet: the beginning of the path, not of its parts.
    "registry.example.com/a, registry.example.com/ab, true",
    "registry.example.com/a/b, registry.example.com/a/c, false",
    "registry.example.com:5000, registry.example.com:5000/a, true",
    "registry.example.com, registry.example.com:5000/a, false",
    "registry.example.com:5000, registry.example.com/a, false",
    "*.example.com, registry.example.com/a, true",
    "*.example.com, a.b.example.com/a, false",
    "*.example.com, example.com/a, false",
    "*.*.example.com, a.b.example.com/a, true",
    "registry-?.example.com, registry-1.example.com/a, true",
    "registry-[0-3].example.com, registry-2.example.com/a, true",
    "registry-[0-3].example.com, registry-7.example.com/a, false",
    "r*y.example.com/team, registry.example.com/team/app, true",
    "(a+)+.example.com, aaaa.example.com/a, false",
    "evil.com, registry.example.com/a, false",
  })
  void aServerIsMatchedAsTheKubeletDoes(String server, String repository, boolean matches) {
    DockerConfig config =
        DockerConfig.parse(
                "{\"auths\":{\"%s\":{\"username\":\"ann\",\"password\":\"secret\"}}}"
                    .formatted(server))
            .orElseThrow();

    assertThat(!config.lookup(repository).isEmpty()).isEqualTo(matches);
  }

  @Test
  void theMostSpecialComesFirst() {
    DockerConfig config =
        DockerConfig.parse(
                """
                {"auths": {
                  "quay.io": {"username": "all", "password": "1"},
                  "quay.io/team": {"auth": "dGVhbTpvbmU6dHdv"},
                  "quay.io/team/app": {"identitytoken": "t"},
                  "quay.io/nobody": {}}}
                """)
            .orElseThrow();

    assertThat(config.lookup("quay.io/team/app"))
        .containsExactly(
            new RegistryCredentials("", "", "t"),
            RegistryCredentials.of("team", "one:two"),
            RegistryCredentials.of("all", "1"));
    assertThat(config.lookup("quay.io/nobody")).containsExactly(RegistryCredentials.of("all", "1"));
    assertThat(config.lookup("docker.io/library/nginx")).isEmpty();
  }

  @Test
  void credentialsAreFoundWithTheirServer() {
    DockerConfig config =
        DockerConfig.parse("{\"https://quay.io/team\":{\"auth\":\"YW5uOnNlY3JldA==\"}}")
            .orElseThrow();

    assertThat(config.find("quay.io/team/app"))
        .containsExactly(
            new DockerConfig.ServerCredentials(
                "quay.io/team", RegistryCredentials.of("ann", "secret")));
  }

  @Test
  void theOlderFormHasNoAuths() {
    DockerConfig config =
        DockerConfig.parse("{\"quay.io\":{\"auth\":\"YW5uOnNlY3JldA==\"}}").orElseThrow();

    assertThat(config.lookup("quay.io/a")).containsExactly(RegistryCredentials.of("ann", "secret"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "[]", "3"})
  void whatIsNoConfigurationIsNone(String text) {
    assertThat(DockerConfig.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"auths\": {\"[\": {\"auth\": \"x\"}, \"\": {\"username\": \"a\"}}}", "{}"})
  void mistakesOfOthersDoNoHarm(String text) {
    assertThat(DockerConfig.parse(text).orElseThrow().lookup("docker.io/library/nginx")).isEmpty();
  }

  @Test
  void secretsAreNotPrinted() {
    assertThat(
            List.of(
                RegistryCredentials.of("ann", "secret"),
                new RegistryCredentials("", "", "secret"),
                RegistryCredentials.NONE))
        .hasToString("[ann, an identity token, anonymous]");
    assertThat(RegistryCredentials.parse("ann:a:b"))
        .isEqualTo(RegistryCredentials.of("ann", "a:b"));
  }
}

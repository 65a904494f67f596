package dev.berth.agent.images;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cri.v1.AuthConfig;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whose credentials fit which image.
final class PullSecretsTest {
  @ParameterizedTest
  @CsvSource({
    "registry.example.com, registry.example.com/a/b:1, true",
    "https://registry.example.com/v2/, registry.example.com/a/b:1, true",
    "registry.example.com/a, registry.example.com/a/b, true",
    "registry.example.com/b, registry.example.com/a, false",
    "*.example.com, registry.example.com/a, true",
    "*.example.com, a.b.example.com/a, false",
    "https://index.docker.io/v1/, nginx, true",
    "docker.io, library/nginx:1, true",
    "registry.example.com:5000, registry.example.com/a, false",
  })
  void credentialsFitTheirRegistry(String server, String image, boolean fits) {
    var found = PullSecrets.find(image, List.of(secret(server)));

    assertThat(found.isEmpty()).isEqualTo(!fits);
    found.forEach(
        one -> assertThat(List.of(one.username(), one.password())).containsExactly("me", "p:w"));
  }

  @ParameterizedTest
  @CsvSource({
    "registry.example.com:5000, registry.example.com:5000/a:1",
    "https://index.docker.io/v1/, nginx",
    "*.example.com, registry.example.com/a",
  })
  void runtimesAreNotToldForWhichServerCredentialsAre(String server, String image) {
    var found = PullSecrets.find(image, List.of(secret(server)));

    assertThat(found)
        .extracting(PullCredentials::message)
        .containsExactly(AuthConfig.newBuilder().setUsername("me").setPassword("p:w").build());
  }

  @Test
  void theMostSpecialServerOfAllSecretsComesFirst() {
    var found =
        PullSecrets.find(
            "registry.example.com/team/app",
            List.of(
                secret("registry.example.com"),
                secret("other.example.com"),
                secret("registry.example.com/team")));

    assertThat(found)
        .extracting(PullCredentials::server)
        .containsExactly("registry.example.com/team", "registry.example.com");
  }

  @Test
  void theSameCredentialsProveAccessInWhateverForm() {
    var plain =
        new SecretBuilder()
            .addToData(
                ".dockercfg", base64("{\"docker.io\":{\"username\":\"me\",\"password\":\"p:w\"}}"))
            .build();

    var found = PullSecrets.find("nginx", List.of(secret("docker.io"), plain));

    assertThat(found).hasSize(2);
    assertThat(found.get(0).secret()).isEqualTo(found.get(1).secret());
  }

  @Test
  void secretsThatCannotBeReadAreNone() {
    var broken = new SecretBuilder().addToData(".dockerconfigjson", "%%%").build();
    var noJson = new SecretBuilder().addToData(".dockercfg", base64("x")).build();

    assertThat(PullSecrets.find("nginx", List.of(broken, noJson, new SecretBuilder().build())))
        .isEmpty();
  }

  private static io.fabric8.kubernetes.api.model.Secret secret(String server) {
    String auth = base64("me:p:w");
    return new SecretBuilder()
        .withType("kubernetes.io/dockerconfigjson")
        .addToData(
            ".dockerconfigjson",
            base64("{\"auths\":{\"%s\":{\"auth\":\"%s\"}}}".formatted(server, auth)))
        .build();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}

package dev.berth.agent.images;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cri.v1.AuthConfig;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whose credentials fit which image, and which images go when the disk is full.
final class PullSecretsTest {
  @ParameterizedTest
  @CsvSource({
    "registry.example.com, registry.example.com/a/b:1, true",
    "https://registry.example.com/v2/, registry.example.com/a/b:1, true",
    "registry.example.com/a, registry.example.com/a/b, true",
    "registry.example.com/a, registry.example.com/ab, false",
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

  @ParameterizedTest
  @CsvSource({
    "nginx, true",
    "nginx:1.2, true",
    "localhost:5000/a/b_c:1, true",
    "UPPER, false",
    "a b, false",
    "a:, false",
  })
  void namesAreChecked(String name, boolean valid) {
    assertThat(ImageName.isValid(name)).isEqualTo(valid);
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

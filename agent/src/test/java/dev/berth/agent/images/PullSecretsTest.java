package dev.berth.agent.images;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cri.v1.AuthConfig;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
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
        .extracting(Credentials::message)
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

  @Test
  void theImagesNotUsedForLongestGoFirstAndOnlyUntilThereIsRoom() {
    Instant now = Instant.parse("2026-01-02T03:04:05Z");
    List<StoredImage> images =
        List.of(
            image("old", 10, now.minusSeconds(9000), now),
            image("older", 10, now.minusSeconds(9900), now),
            image("used", 10, now.minusSeconds(9999), now),
            image("new", 10, now.minusSeconds(9), now));

    assertThat(choose(images, 84, now)).isEmpty();
    assertThat(choose(images, 86, now)).containsExactly("older");
    assertThat(choose(images, 99, now)).containsExactly("older", "old");
  }

  private static List<String> choose(List<StoredImage> images, long used, Instant now) {
    CollectionRules rules =
        new CollectionRules(85, 80, Duration.ofMinutes(2), Duration.ofMinutes(5));
    return CollectionPlan.choose(images, Set.of("used"), used, 100, rules, now).stream()
        .map(StoredImage::id)
        .toList();
  }

  private static StoredImage image(String id, long size, Instant lastUsed, Instant now) {
    Instant first = id.equals("new") ? now.minusSeconds(9) : now.minusSeconds(10_000);
    return new StoredImage(id, "", Set.of(id), size, false, first, lastUsed);
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

package dev.berth.controllers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.FakeApi;
import dev.berth.client.fake.ManualTime;
import dev.berth.controllers.loops.ControllerContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class JoinTokenExpiryTest {
  private static final String TOKEN = "bootstrap.kubernetes.io/token";

  private final ManualTime time = new ManualTime(Instant.parse("2026-01-01T12:00:00Z"));
  private final FakeApi server =
      new FakeApi(List.of(ResourceType.NAMESPACES, ResourceType.SECRETS), time);
  private final ControllerContext context =
      new ControllerContext(new ApiClient(server), time, time, new Random(1));

  @BeforeEach
  void makeNamespaces() {
    server.createNamespace("kube-system");
    server.createNamespace("default");
  }

  @Test
  void aTokenGoesWhenItsTimeIsOver() {
    secret("kube-system", "old", TOKEN, "2026-01-01T11:00:00Z");
    secret("kube-system", "new", TOKEN, "2026-01-01T13:00:00Z");
    secret("kube-system", "lasting", TOKEN, "");
    secret("kube-system", "odd", TOKEN, "tomorrow");
    secret("kube-system", "other", "Opaque", "2026-01-01T11:00:00Z");
    secret("default", "elsewhere", TOKEN, "2026-01-01T11:00:00Z");

    try (JoinTokenExpiry _ = new JoinTokenExpiry(context)) {
      Await.untilAsserted(() -> assertThat(names()).doesNotContain("old"));
      assertThat(names()).containsExactlyInAnyOrder("elsewhere", "lasting", "new", "odd", "other");

      Await.until(() -> !namesAMinuteLater().contains("new"));
      assertThat(time.instant()).isAfterOrEqualTo("2026-01-01T13:00:00Z");
      assertThat(names()).containsExactlyInAnyOrder("elsewhere", "lasting", "odd", "other");
    }
  }

  @Test
  void oneWhoseTimeWasProlongedStays() {
    secret("kube-system", "kept", TOKEN, "2026-01-01T13:00:00Z");
    try (JoinTokenExpiry _ = new JoinTokenExpiry(context)) {
      ObjectNode kept = server.list(ResourceType.SECRETS).getFirst();
      kept.withObjectProperty("data").put("expiration", encoded("2026-01-01T15:00:00Z"));
      context.client().json(ResourceType.SECRETS).update(kept);

      Await.until(() -> namesAMinuteLater().isEmpty());
      assertThat(time.instant()).isAfterOrEqualTo("2026-01-01T15:00:00Z");
    }
  }

  private List<String> namesAMinuteLater() {
    time.advance(Duration.ofMinutes(1));
    return names();
  }

  private void secret(String namespace, String name, String type, String expiration) {
    ObjectNode secret = TestCluster.object(namespace, name).put("type", type);
    secret.putObject("data").put("expiration", encoded(expiration));
    server.create(ResourceType.SECRETS, secret);
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private List<String> names() {
    return server.list(ResourceType.SECRETS).stream()
        .map(secret -> secret.at("/metadata/name").asText())
        .toList();
  }
}

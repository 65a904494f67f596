package dev.berth.controllers.quotas;

import static dev.berth.controllers.TestCluster.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.ResourceAmounts;
import dev.berth.client.ApiClient;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.FakeApi;
import dev.berth.client.fake.ManualTime;
import dev.berth.controllers.Await;
import dev.berth.controllers.loops.ControllerContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// First counts of quotas, and corrections.
final class ResourceQuotasTest {
  private static final ObjectKey KEY = new ObjectKey("default", "q");

  private final ManualTime time = new ManualTime(Instant.parse("2026-01-01T12:00:00Z"));
  private final FakeApi server =
      new FakeApi(
          List.of(
              ResourceType.NAMESPACES,
              ResourceType.PODS,
              ResourceType.SECRETS,
              ResourceType.DEPLOYMENTS,
              ResourceType.RESOURCE_QUOTAS),
          time);
  private final ApiClient client = new ApiClient(server);
  private final ControllerContext context =
      new ControllerContext(client, time, time, new Random(1));

  @BeforeEach
  void createObjects() {
    server.createNamespace("default");
    server.createNamespace("other");
    pod("default", "a", "'containers':[{'resources':{'requests':{'cpu':'500m'}}}]");
    pod("default", "b", "'containers':[{}],'activeDeadlineSeconds':5");
    pod("other", "c", "'containers':[{'resources':{'requests':{'cpu':'9'}}}]");
    server.create(ResourceType.SECRETS, json("{'metadata':{'namespace':'default','name':'s'}}"));
    server.create(
        ResourceType.DEPLOYMENTS, json("{'metadata':{'namespace':'default','name':'d'}}"));
  }

  @Test
  void aNewQuotaIsCounted() {
    quota(
        "'hard':{'pods':'5','requests.cpu':'2','secrets':'3','count/deployments.apps':'1','services':'1'}");
    try (ResourceQuotas _ = new ResourceQuotas(context)) {
      Await.untilAsserted(
          () ->
              assertThat(used())
                  .isEqualTo(
                      "count/deployments.apps=1,pods=2,requests.cpu=500m,secrets=1,services=0"));
      assertThat(ResourceAmounts.of(status().path("hard")))
          .hasToString("count/deployments.apps=1,pods=5,requests.cpu=2,secrets=3,services=1");
    }
  }

  @Test
  void scopesChooseWhatIsCounted() {
    quota("'hard':{'pods':'5'},'scopes':['Terminating']");
    try (ResourceQuotas _ = new ResourceQuotas(context)) {
      Await.untilAsserted(() -> assertThat(used()).isEqualTo("pods=1"));
    }
  }

  @Test
  void aCountIsCorrectedOnceNobodyChargedForAWhile() {
    quota("'hard':{'pods':'5'}");
    try (ResourceQuotas _ = new ResourceQuotas(context)) {
      Await.untilAsserted(() -> assertThat(used()).isEqualTo("pods=2"));
      // The API server charged for a pod that is not stored yet.
      ObjectNode charged = client.json(ResourceType.RESOURCE_QUOTAS).get(KEY);
      charged.withObject("/status").withObject("/used").put("pods", "3");
      client.json(ResourceType.RESOURCE_QUOTAS).update(charged, "status");
      Instant then = time.instant();
      Await.untilAsserted(
          () -> {
            time.advance(Duration.ofMillis(500));
            assertThat(used()).isEqualTo("pods=2");
          });
      assertThat(then.plusSeconds(5)).isBefore(time.instant());
    }
  }

  @Test
  void whatAChangedQuotaCountsNewlyIsAdded() {
    ObjectNode quota = quota("'hard':{'pods':'5'}");
    assertThat(QuotaStatus.isCounted(quota)).isFalse();
    ObjectNode changed =
        json(
            "{'spec':{'hard':{'pods':'5','secrets':'1'}},'status':{'hard':{'pods':'5'},'used':{'pods':'4'}}}");
    assertThat(QuotaStatus.isCounted(changed)).isFalse();
    assertThat(QuotaStatus.first(changed, ResourceAmounts.of(json("{'pods':'2','secrets':'1'}"))))
        .hasToString("pods=4,secrets=1");
  }

  private void pod(String namespace, String name, String spec) {
    server.create(
        ResourceType.PODS,
        json(
            "{'metadata':{'namespace':'%s','name':'%s'},'spec':{%s}}"
                .formatted(namespace, name, spec)));
  }

  private ObjectNode quota(String spec) {
    return server.create(
        ResourceType.RESOURCE_QUOTAS,
        json("{'metadata':{'namespace':'default','name':'q'},'spec':{" + spec + "}}"));
  }

  private JsonNode status() {
    return server.find(ResourceType.RESOURCE_QUOTAS, KEY).orElseThrow().path("status");
  }

  private String used() {
    return ResourceAmounts.of(status().path("used")).toString();
  }
}

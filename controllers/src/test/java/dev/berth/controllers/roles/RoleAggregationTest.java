package dev.berth.controllers.roles;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.controllers.Await;
import dev.berth.controllers.TestCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class RoleAggregationTest {
  private final TestCluster cluster = new TestCluster();

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void aRoleShowsTheRulesOfThoseItSelectsAndFollowsThem() {
    create("b", "monitoring", "pods");
    create("a", "monitoring", "nodes");
    create("same", "monitoring", "pods");
    create("other", "storage", "secrets");
    aggregate("all");
    try (RoleAggregation _ = new RoleAggregation(cluster.context())) {
      Await.untilAsserted(() -> assertThat(resources("all")).isEqualTo("nodes,pods"));

      create("c", "monitoring", "leases");

      Await.untilAsserted(() -> assertThat(resources("all")).isEqualTo("nodes,pods,leases"));

      cluster.server().delete(ResourceType.CLUSTER_ROLES, new ObjectKey("", "a"), "Background");

      Await.untilAsserted(() -> assertThat(resources("all")).isEqualTo("pods,leases"));
    }
  }

  private void create(String name, String purpose, String resource) {
    ObjectNode role = TestCluster.object("", name);
    role.withObject("/metadata/labels").put("purpose", purpose);
    ObjectNode rule = role.putArray("rules").addObject();
    rule.putArray("apiGroups").add("");
    rule.putArray("resources").add(resource);
    rule.putArray("verbs").add("get");
    cluster.server().create(ResourceType.CLUSTER_ROLES, role);
  }

  private void aggregate(String name) {
    ObjectNode role = TestCluster.object("", name);
    role.putObject("aggregationRule")
        .putArray("clusterRoleSelectors")
        .addObject()
        .putObject("matchLabels")
        .put("purpose", "monitoring");
    cluster.server().create(ResourceType.CLUSTER_ROLES, role);
  }

  private String resources(String name) {
    JsonNode role =
        cluster.server().find(ResourceType.CLUSTER_ROLES, new ObjectKey("", name)).orElseThrow();
    StringBuilder names = new StringBuilder();
    for (JsonNode rule : role.path("rules")) {
      names.append(names.isEmpty() ? "" : ",").append(rule.at("/resources/0").asText());
    }
    return names.toString();
  }
}

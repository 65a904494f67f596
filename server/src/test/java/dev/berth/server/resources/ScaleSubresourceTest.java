package dev.berth.server.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.resources.requests.PatchBody;
import dev.berth.server.resources.requests.RequestBody;
import dev.berth.server.resources.requests.RequestQuery;
import dev.berth.server.resources.requests.WriteOptions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Replicas that are set through the scale of a Deployment.
class ScaleSubresourceTest {
  private static final String DEPLOYMENT =
      "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'d'},'spec':{'replicas':3,"
          + "'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},"
          + "'spec':{'containers':[{'name':'c','image':'i'}]}}}}";
  private static final String NO_REPLICAS =
      "{'apiVersion':'autoscaling/v1','kind':'Scale','metadata':{'name':'d'},"
          + "'spec':{'replicas':0}}";

  private final StoreFixture fixture = new StoreFixture();
  private final ResourceVerbs verbs = fixture.verbs();

  @BeforeEach
  void applyDeployment() {
    applyDeployment(DEPLOYMENT);
  }

  private void applyDeployment(String config) {
    verbs
        .applier()
        .apply(fixture.target("deployments.apps", "d", ""), applied(config), options("m1"));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void noReplicasConflictWithTheOwnerOfSome() {
    assertThatThrownBy(() -> scale(NO_REPLICAS, "m2"))
        .isInstanceOf(ApiException.class)
        .hasMessage("Apply failed with 1 conflict: conflict with \"m1\": .spec.replicas");
    assertThat(replicas()).isEqualTo(3);
    assertThat(owners()).containsExactly("m1");
  }

  @Test
  void noReplicasAreSharedByWhoeverWantsNone() {
    applyDeployment(DEPLOYMENT.replace("'replicas':3", "'replicas':0"));
    scale(NO_REPLICAS, "m2");
    assertThat(replicas()).isZero();
    assertThat(owners()).containsExactlyInAnyOrder("m1", "m2");
  }

  @Test
  void theScaleOfAnotherObjectIsRefused() {
    assertThatThrownBy(() -> put("{'metadata':{'name':'d','uid':'u'},'spec':{'replicas':1}}"))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.status().code()).isEqualTo(409))
        .hasMessageContaining("Precondition failed: UID in precondition: u, UID in object meta: ");
    assertThat(replicas()).isEqualTo(3);
    String uid = deployment().at("/metadata/uid").asText();
    put("{'metadata':{'name':'d','uid':'%s'},'spec':{'replicas':1}}".formatted(uid));
    put("{'metadata':{'name':'d'},'spec':{'replicas':2}}");
    assertThat(replicas()).isEqualTo(2);
    assertThat(deployment().at("/metadata/uid").asText()).isEqualTo(uid);
  }

  private void put(String scale) {
    verbs
        .scales()
        .put(
            fixture.target("deployments.apps", "d", "scale"),
            new RequestBody(json(scale), List.of()),
            options("m1"));
  }

  private void scale(String config, String manager) {
    verbs
        .scales()
        .patch(fixture.target("deployments.apps", "d", "scale"), applied(config), options(manager));
  }

  private static PatchBody applied(String config) {
    return new PatchBody(PatchBody.Type.APPLY, json(config), List.of());
  }

  private int replicas() {
    return deployment().at("/spec/replicas").asInt();
  }

  private List<String> owners() {
    return deployment().at("/metadata/managedFields").findValuesAsText("manager");
  }

  private ObjectNode deployment() {
    return fixture
        .store()
        .get(fixture.target("deployments.apps", "d", "").kind(), "t", "d")
        .value()
        .tree();
  }

  private static WriteOptions options(String manager) {
    return WriteOptions.parse(
        RequestQuery.parse("fieldManager=" + manager), "test", "PatchOptions", true);
  }

  private static ObjectNode json(String json) {
    return (ObjectNode)
        JsonTrees.parseTrusted(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }
}

package dev.berth.server.fields;

import static dev.berth.server.fields.Captures.normal;
import static dev.berth.server.fields.Captures.object;
import static dev.berth.server.fields.Captures.response;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ScaleFieldsTest {
  private static final WriteContext CONTEXT =
      new WriteContext(
          "probe",
          "autoscaling/v1",
          "scale",
          Instant.parse("2026-12-12T00:00:00Z"),
          Captures.SCHEMA.type("autoscaling.v1.Scale"),
          FieldSet.of("status"));

  private static final FieldManager FIELDS =
      new FieldManager(ServedVersions.only("autoscaling/v1", CONTEXT.type()));

  private static JsonNode entries(ObjectNode object) {
    return object.path("metadata").path("managedFields");
  }

  private static ObjectNode scale(ArrayNode entries, int replicas) {
    ObjectNode scale = object("{'apiVersion':'autoscaling/v1','kind':'Scale','metadata':{}}");
    ((ObjectNode) scale.path("metadata")).set("managedFields", entries);
    scale.putObject("spec").put("replicas", replicas);
    return normal(scale);
  }

  private static JsonNode scaled(ObjectNode parent, int from, int to) {
    ArrayNode before = ScaleFields.toScale(entries(parent));
    ObjectNode updated = FIELDS.update(scale(before, from), scale(before, to), CONTEXT);
    return ScaleFields.toParent(entries(parent), entries(updated), "apps/v1");
  }

  @Test
  void theScalerTakesTheReplicasAsUpstreamHasIt() {
    ObjectNode parent = normal(response("deploy-create"));
    assertThat(scaled(parent, 1, 3)).isEqualTo(entries(response("deploy-after-scale")));
  }

  @Test
  void scalingToWhatItIsChangesNoOwner() {
    ObjectNode parent = normal(response("deploy-create"));
    assertThat(scaled(parent, 1, 1)).isEqualTo(entries(parent));
    ObjectNode scaledParent = normal(response("deploy-after-scale"));
    assertThat(scaled(scaledParent, 3, 5)).isEqualTo(entries(scaledParent));
  }

  @Test
  void anApplierOfTheObjectConflictsWithTheScaler() {
    ObjectNode parent = normal(response("ssa-deploy-other-adds"));
    ArrayNode before = ScaleFields.toScale(entries(parent));
    assertThat(before.size()).isEqualTo(1);
    assertThat(before.path(0).path("manager").asText()).isEqualTo("b");
    assertThat(before.path(0).path("apiVersion").asText()).isEqualTo("autoscaling/v1");
    JsonNode after = scaled(parent, 4, 5);
    assertThat(after.path(1).path("manager").asText()).isEqualTo("b");
    assertThat(after.path(1).at("/fieldsV1/f:spec").has("f:replicas")).isFalse();
    assertThat(after.path(2).path("subresource").asText()).isEqualTo("scale");
  }
}

package dev.berth.server.fields;

import static dev.berth.server.fields.Captures.normal;
import static dev.berth.server.fields.Captures.object;
import static dev.berth.server.fields.UpdateTest.owners;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.patch.JsonPatch;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// From `kubectl apply` to `kubectl apply --server-side`: the four patches that kubectl sends.
class KubectlMigrationTest {
  private static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";
  private static final Instant NOW = Instant.parse("2026-03-03T00:00:00Z");

  private static ObjectNode config(String data) {
    return object(
        "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'c','namespace':'n','annotations':{}},"
            + "'data':{"
            + data
            + "}}");
  }

  private static WriteContext context(String manager) {
    return new WriteContext(
        manager, "v1", "", NOW, Captures.SCHEMA.type("core.v1.ConfigMap"), FieldSet.EMPTY);
  }

  private static final FieldManager FIELDS =
      new FieldManager(ServedVersions.only("v1", Captures.SCHEMA.type("core.v1.ConfigMap")));

  private static ObjectNode clientSideApplied(String data) {
    ObjectNode object = config(data);
    ((ObjectNode) object.at("/metadata/annotations"))
        .put(ANNOTATION, new String(JsonTrees.bytes(config(data)), StandardCharsets.UTF_8) + "\n");
    return FIELDS.update(null, normal(object), context("kubectl-client-side-apply"));
  }

  private static ObjectNode serverSideApplied(ObjectNode live, ObjectNode config, String manager) {
    return FIELDS.apply(live, config, context(manager), false).object();
  }

  @Test
  void theFourPatchesLeaveOneOwnerWithoutConflicts() {
    ObjectNode live = clientSideApplied("'a':'1','b':'1'");
    ObjectNode wanted = config("'a':'2'");

    live = serverSideApplied(live, wanted, "kubectl");
    assertThat(live.at("/data/a").asText()).isEqualTo("2");
    assertThat(live.at("/data/b").asText()).isEqualTo("1");
    assertThat(live.path("metadata").path("annotations").path(ANNOTATION).asText())
        .isEqualTo(
            "{\"apiVersion\":\"v1\",\"data\":{\"a\":\"2\"},\"kind\":\"ConfigMap\","
                + "\"metadata\":{\"annotations\":{},\"name\":\"c\",\"namespace\":\"n\"}}\n");

    ObjectNode annotation = config("");
    annotation.remove("data");
    ((ObjectNode) annotation.at("/metadata/annotations"))
        .set(ANNOTATION, live.path("metadata").path("annotations").path(ANNOTATION));
    live = serverSideApplied(live, annotation, "kubectl-last-applied");
    assertThat(owners(live))
        .anySatisfy(
            owner ->
                assertThat(owner)
                    .startsWith("kubectl-last-applied Apply")
                    .contains("f:" + ANNOTATION));

    // kubectl moves what client-side apply owned to the applier.
    ArrayNode entries = JsonTrees.array();
    FieldSet all = FieldSet.of("data", "data.a", "data.b");
    ObjectNode entry = entries.addObject();
    entry.put("manager", "kubectl").put("operation", "Apply").put("apiVersion", "v1");
    entry.put("time", "2026-03-03T00:00:00Z").put("fieldsType", "FieldsV1");
    entry.set("fieldsV1", FieldsV1.encode(all));
    ObjectNode replace = object("{'op':'replace','path':'/metadata/managedFields'}");
    replace.set("value", entries);
    ObjectNode patched = JsonPatch.apply(JsonTrees.array().add(replace), live);
    live = FIELDS.update(live, patched, context("kubectl"));
    assertThat(live.path("metadata").path("managedFields")).isEqualTo(entries);

    live = serverSideApplied(live, wanted, "kubectl");
    assertThat(live.path("data")).as("b is gone now").isEqualTo(object("{'a':'2'}"));
    assertThat(owners(live)).hasSize(1).first().asString().startsWith("kubectl Apply");
  }

  @Test
  void fieldsThatSomebodyChangedSinceAreStillConflicts() {
    ObjectNode live = clientSideApplied("'a':'1','b':'1'");
    ObjectNode edited = live.deepCopy();
    edited.withObjectProperty("data").put("b", "edited");
    ObjectNode conflicting = FIELDS.update(live, edited, context("kubectl-edit"));
    assertThatThrownBy(() -> serverSideApplied(conflicting, config("'a':'2','b':'2'"), "kubectl"))
        .hasMessage(
            "Apply failed with 1 conflict: conflict with \"kubectl-edit\" using v1: .data.b");
    assertThatThrownBy(() -> serverSideApplied(live, config("'a':'2'"), "another"))
        .hasMessage(
            "Apply failed with 1 conflict: conflict with \"kubectl-client-side-apply\" using v1:"
                + " .data.a");
  }

  @Test
  void anAnnotationThatWouldBeTooLargeIsDropped() {
    ObjectNode live = clientSideApplied("'a':'1'");
    ObjectNode large = config("'a':'1'");
    large.withObjectProperty("data").put("big", "x".repeat(300_000));
    ObjectNode after = serverSideApplied(live, large, "kubectl");
    assertThat(after.path("metadata").path("annotations").has(ANNOTATION)).isFalse();
  }

  @Test
  void aBrokenAnnotationHelpsNobody() {
    ObjectNode live = clientSideApplied("'a':'1'");
    ((ObjectNode) live.at("/metadata/annotations")).put(ANNOTATION, "{broken");
    assertThatThrownBy(() -> serverSideApplied(live, config("'a':'2'"), "kubectl"))
        .hasMessageContaining(".data.a");
  }
}

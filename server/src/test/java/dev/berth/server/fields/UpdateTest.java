package dev.berth.server.fields;

import static dev.berth.server.fields.Captures.normal;
import static dev.berth.server.fields.Captures.object;
import static dev.berth.server.fields.Captures.response;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UpdateTest {
  private static final FieldSet STATUS = FieldSet.of("status");

  static WriteContext context(
      ObjectNode object, String manager, String subresource, FieldSet reset) {
    JsonNode entries = object.path("metadata").path("managedFields");
    String time = entries.path(entries.size() - 1).path("time").asText("2026-01-01T00:00:00Z");
    return new WriteContext(
        manager,
        object.path("apiVersion").asText(),
        subresource,
        Instant.parse(time),
        Captures.typeOf(object),
        reset);
  }

  static FieldManager manager(ObjectNode object) {
    return new FieldManager(
        ServedVersions.only(object.path("apiVersion").asText(), Captures.typeOf(object)));
  }

  private static JsonNode managedFields(ObjectNode object) {
    return object.path("metadata").path("managedFields");
  }

  /// What the strategies of the kinds allocate and what admission adds comes after the owners of
  /// fields are noted.
  private static ObjectNode beforeAdmission(ObjectNode created, String added) {
    for (String pointer : added.isEmpty() ? new String[0] : added.split(" ", -1)) {
      int last = pointer.lastIndexOf('/');
      JsonNode parent = created.at(pointer.substring(0, last));
      String name = pointer.substring(last + 1);
      if (parent instanceof ObjectNode object) {
        object.remove(name);
      } else {
        ((ArrayNode) parent).remove(Integer.parseInt(name));
      }
    }
    ((ObjectNode) created.path("metadata")).remove("managedFields");
    return normal(created);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ns-create | /spec/finalizers",
        "pod-create-defaults | /spec/volumes /spec/containers/0/volumeMounts /spec/serviceAccountName /spec/serviceAccount /spec/tolerations /spec/priority /spec/preemptionPolicy",
        "pod-create-rich | /spec/volumes/5 /spec/containers/0/volumeMounts /spec/serviceAccountName /spec/serviceAccount /spec/tolerations /spec/priority /spec/preemptionPolicy",
        "cm-create |",
        "cm-finalizer-create |",
        "warn-dup-owner |",
        "lease-create |",
        "deploy-create |",
        "rs-create |",
        "ds-create |",
        "sts-create |",
        "svc-create-ClusterIP | /spec/clusterIP /spec/clusterIPs /spec/ipFamilies /spec/ipFamilyPolicy",
        "svc-create-NodePort | /spec/clusterIP /spec/clusterIPs /spec/ipFamilies /spec/ipFamilyPolicy /spec/ports/0/nodePort",
        "svc-create-LoadBalancer | /spec/clusterIP /spec/clusterIPs /spec/ipFamilies /spec/ipFamilyPolicy /spec/ports/0/nodePort",
        "svc-create-ExternalName |",
        "svc-create-Headless | /spec/clusterIPs /spec/ipFamilies /spec/ipFamilyPolicy",
        "secret-create |",
        "endpoints-create |",
        "event-create |",
        "node-create | /spec/taints",
        "rtc-create |",
        "role-create |",
        "rb-create |",
      })
  void creatorsOwnWhatUpstreamGivesThem(String label, String added) {
    ObjectNode expected = response(label);
    ObjectNode object = beforeAdmission(response(label), added == null ? "" : added);
    String manager = managedFields(expected).path(0).path("manager").asText();
    ObjectNode created =
        manager(object).update(null, object, context(expected, manager, "", STATUS));
    assertThat(managedFields(created).toPrettyString())
        .isEqualTo(managedFields(expected).toPrettyString());
  }

  @ParameterizedTest
  @CsvSource({
    "cm-create, cm-put, '', status",
    "cm-put, cm-put-unconditional, '', status",
    "cm-put, cm-put-noop, '', status",
    "cm-put, patch-merge, '', status",
    "patch-merge, patch-json, '', status",
    "patch-json, patch-noop, '', status",
    "node-create, node-status-patch, status, spec",
    "pod-after-binding, pod-status-patch, status, spec",
    "generation-annotation-bump, generation-label-nobump, '', status",
    "generation-label-nobump, smp-container-add, '', status",
    "smp-container-add, smp-container-delete, '', status",
    "smp-container-delete, smp-replace-map, '', status",
    "smp-replace-map, smp-strategy-retainkeys, '', status",
    "smp-strategy-retainkeys, smp-set-order, '', status",
    "smp-set-order, mergepatch-list-replace, '', status",
    "status-put-ignores-spec, generation-annotation-bump, '', status",
  })
  void writersOwnWhatUpstreamGivesThem(
      String before, String after, String subresource, String reset) {
    ObjectNode live = normal(response(before));
    ObjectNode expected = response(after);
    ObjectNode written = normal(response(after));
    ((ObjectNode) written.path("metadata")).remove("managedFields");
    ObjectNode updated =
        manager(live)
            .update(live, written, context(expected, "probe", subresource, FieldSet.of(reset)));
    assertThat(managedFields(updated).toPrettyString())
        .isEqualTo(managedFields(expected).toPrettyString());
  }

  @Test
  void aStatusWriterOwnsNothingOfTheSpecItSent() {
    ObjectNode expected = response("status-put-ignores-spec");
    ObjectNode request = normal((ObjectNode) Captures.request("status-put-ignores-spec"));
    ObjectNode live = request.deepCopy();
    ((ObjectNode) live.path("metadata")).remove(List.of("labels", "annotations"));
    ((ObjectNode) live.path("spec")).put("replicas", 1);
    live.set("status", JsonTrees.object());
    ObjectNode updated =
        manager(live)
            .update(
                live,
                request,
                context(expected, "probe", "status", FieldSet.of("spec", "metadata.labels")));
    assertThat(managedFields(updated)).isEqualTo(managedFields(expected));
  }

  private static final String CONFIG =
      "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'c','creationTimestamp':null},"
          + "'data':{'a':'1'}}";

  private static WriteContext at(ObjectNode object, String manager, String time) {
    WriteContext context = context(object, manager, "", STATUS);
    return new WriteContext(
        manager, context.apiVersion(), "", Instant.parse(time), context.type(), STATUS);
  }

  private static ObjectNode created(String manager, String time) {
    ObjectNode object = object(CONFIG);
    return manager(object).update(null, object, at(object, manager, time));
  }

  @Test
  void aWriteThatChangesNothingKeepsTheTime() {
    ObjectNode live = created("m", "2026-01-01T00:00:00Z");
    ObjectNode updated =
        manager(live).update(live, live, at(live, "other", "2026-01-02T00:00:00Z"));
    assertThat(updated).isEqualTo(live);
    ObjectNode withoutEntries = object(CONFIG);
    updated = manager(live).update(live, withoutEntries, at(live, "other", "2026-01-02T00:00:00Z"));
    assertThat(updated).isEqualTo(live);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "[{}]"})
  void anEmptyListEndsTheBookkeeping(String entries) {
    ObjectNode live = created("m", "2026-01-01T00:00:00Z");
    ObjectNode reset = object(CONFIG);
    ((ObjectNode) reset.path("metadata")).set("managedFields", Captures.json(entries));
    reset.withObjectProperty("data").put("a", "2");
    ObjectNode normal = normal(reset);
    FieldManager.keepReset(reset, normal);
    ObjectNode updated = manager(live).update(live, normal, at(live, "m", "2026-01-02T00:00:00Z"));
    assertThat(updated.path("metadata").has("managedFields")).isFalse();

    ObjectNode next = updated.deepCopy();
    next.withObjectProperty("data").put("a", "3");
    assertThat(
            managedFields(
                manager(live).update(updated, next, at(live, "m", "2026-01-03T00:00:00Z"))))
        .as("nobody is tracked until somebody applies")
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"manager\":\"x\",\"operation\":\"Nothing\",\"apiVersion\":\"v1\",\"fieldsType\":\"FieldsV1\"}]",
        "[{\"manager\":\"x\",\"operation\":\"Update\",\"fieldsType\":\"FieldsV1\"}]",
        "[{\"manager\":\"x\",\"operation\":\"Update\",\"apiVersion\":\"v1\"}]",
        "[{\"manager\":\"x\",\"operation\":\"Update\",\"apiVersion\":\"v1\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"k:x\":{}}}]",
      })
  void brokenEntriesAreIgnored(String entries) {
    ObjectNode live = created("m", "2026-01-01T00:00:00Z");
    ObjectNode broken = live.deepCopy();
    ((ObjectNode) broken.path("metadata")).set("managedFields", Captures.json(entries));
    assertThat(manager(live).update(live, broken, at(live, "m", "2026-01-02T00:00:00Z")))
        .isEqualTo(live);
  }

  @Test
  void entriesOfTheRequestReplaceTheStoredOnesExceptOnASubresource() {
    ObjectNode live = created("m", "2026-01-01T00:00:00Z");
    ObjectNode renamed = live.deepCopy();
    ((ObjectNode) managedFields(renamed).get(0)).put("manager", "n").put("operation", "Apply");
    WriteContext context = at(live, "m", "2026-01-02T00:00:00Z");
    assertThat(manager(live).update(live, renamed, context)).isEqualTo(renamed);
    WriteContext status =
        new WriteContext("m", "v1", "status", context.now(), context.type(), FieldSet.of("data"));
    assertThat(manager(live).update(live, renamed, status)).isEqualTo(live);
  }

  @Test
  void aFieldThatAnotherWriterChangesMovesToItAndRemovedFieldsBelongToNobody() {
    ObjectNode live = created("m", "2026-01-01T00:00:00Z");
    ObjectNode next = object(CONFIG);
    next.withObjectProperty("data").put("a", "2").put("b", "1");
    live = manager(live).update(live, next, at(live, "n", "2026-01-02T00:00:00Z"));
    assertThat(owners(live))
        .containsExactly(
            "m Update {\"f:data\":{}}", "n Update {\"f:data\":{\"f:a\":{},\"f:b\":{}}}");
    next = object(CONFIG);
    next.remove("data");
    live = manager(live).update(live, next, at(live, "o", "2026-01-03T00:00:00Z"));
    assertThat(owners(live)).isEmpty();
  }

  static List<String> owners(ObjectNode object) {
    return managedFields(object)
        .valueStream()
        .map(
            entry ->
                entry.path("manager").asText()
                    + " "
                    + entry.path("operation").asText()
                    + " "
                    + entry.path("fieldsV1"))
        .toList();
  }

  @Test
  void theOldestOfMoreThanTenUpdatersAreMerged() {
    ObjectNode live = created("m0", "2026-01-01T00:00:00Z");
    for (int i = 1; i <= 11; i++) {
      ObjectNode next = live.deepCopy();
      next.withObjectProperty("data").put("k" + i, "1");
      String time = "2026-01-01T00:00:%02dZ".formatted(i);
      live = manager(live).update(live, next, at(live, "m" + i, time));
      assertThat(managedFields(live).size()).isEqualTo(Math.min(i + 1, 10));
    }
    assertThat(owners(live).getFirst())
        .isEqualTo(
            "ancient-changes Update {\"f:data\":{\".\":{},\"f:a\":{},\"f:k1\":{},\"f:k2\":{}}}");
    assertThat(managedFields(live).path(0).path("time").asText()).isEqualTo("2026-01-01T00:00:02Z");
  }

  @Test
  void anObjectWhoseListsCannotBeToldApartIsWrittenWithoutBookkeeping() {
    ObjectNode pod =
        object(
            "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'},'spec':{'containers':[{'image':'x'}]}}");
    ObjectNode created = manager(pod).update(null, pod, context(pod, "m", "", STATUS));
    assertThat(created.path("metadata").has("managedFields")).isFalse();
    assertThat(created.path("spec")).isEqualTo(pod.path("spec"));
  }

  @Test
  void aWriteThatOnlyMovedTheTimeIsTakenBack() {
    ObjectNode old = created("m", "2026-01-01T00:00:00Z");
    ObjectNode later = created("m", "2026-01-02T00:00:00Z");
    ((ObjectNode) old.path("metadata")).put("resourceVersion", "5");
    ObjectNode kept = FieldManager.keepTimes(old, later);
    assertThat(managedFields(kept)).isEqualTo(managedFields(old));
    later.withObjectProperty("data").put("a", "2");
    assertThat(FieldManager.keepTimes(old, later)).isEqualTo(later);
  }

  @Test
  void doubledListItemsAreOwnedAsOnePiece() {
    ObjectNode pod =
        object(
            "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'},'spec':{'containers':[{'name':'c',"
                + "'env':[{'name':'A','value':'1'},{'name':'A','value':'2'},{'name':'B','value':'1'}]}]}}");
    ObjectNode created = manager(pod).update(null, pod, context(pod, "m", "", STATUS));
    assertThat(owners(created).getFirst())
        .contains(
            "\"f:env\":{\".\":{},\"k:{\\\"name\\\":\\\"A\\\"}\":{},\"k:{\\\"name\\\":\\\"B\\\"}\":{\".\":{},\"f:name\":{},\"f:value\":{}}}");
  }
}

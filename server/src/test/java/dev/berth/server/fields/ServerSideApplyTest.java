package dev.berth.server.fields;

import static dev.berth.server.fields.Captures.normal;
import static dev.berth.server.fields.Captures.object;
import static dev.berth.server.fields.Captures.request;
import static dev.berth.server.fields.Captures.response;
import static dev.berth.server.fields.UpdateTest.owners;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.fields.FieldManager.ApplyResult;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerSideApplyTest {
  private static final Instant NOW = Instant.parse("2026-02-02T02:02:02Z");
  private static final String LATER = "2026-02-02T02:02:02Z";

  private static WriteContext context(JsonNode config, String manager, Instant now) {
    return new WriteContext(
        manager,
        config.path("apiVersion").asText(),
        "",
        now,
        Captures.typeOf(config),
        FieldSet.of("status"));
  }

  private static ApplyResult apply(
      @Nullable ObjectNode live, JsonNode config, String manager, boolean force) {
    return UpdateTest.manager((ObjectNode) config)
        .apply(live, (ObjectNode) config, context(config, manager, NOW), force);
  }

  private static ObjectNode applied(@Nullable ObjectNode live, String config, String manager) {
    return apply(live, object(config), manager, false).object();
  }

  private static ObjectNode updated(ObjectNode live, ObjectNode next, String manager) {
    return UpdateTest.manager(live).update(live, next, context(live, manager, NOW));
  }

  @ParameterizedTest
  @CsvSource({
    "'', apply-create, m1, false",
    "apply-create, apply-again, m1, false",
    "apply-again, apply-force, m2, true",
    "apply-force, apply-drop-field, m2, false",
    "'', ssa-deploy-create, a, false",
    "ssa-deploy-create, ssa-deploy-other-adds, b, false",
    "ssa-deploy-other-adds, ssa-deploy-owner-drops-port, a, false",
  })
  void captureStepsAreReproduced(String before, String after, String manager, boolean force) {
    ObjectNode live = before.isEmpty() ? null : normal(response(before));
    ObjectNode expected = response(after);
    // With one time for all of them, whichever entry is new.
    JsonNode entries = expected.path("metadata").path("managedFields");
    Instant now = Instant.EPOCH;
    for (JsonNode entry : entries) {
      if (entry.path("manager").asText().equals(manager)) {
        now = Instant.parse(entry.path("time").asText());
      }
    }
    ObjectNode config = (ObjectNode) request(after);
    ApplyResult result =
        UpdateTest.manager(config).apply(live, config, context(config, manager, now), force);
    assertThat(result.object().path("metadata").path("managedFields").toPrettyString())
        .isEqualTo(entries.toPrettyString());
    if (live != null && config.path("kind").asText().equals("ConfigMap")) {
      assertThat(result.object().path("data")).isEqualTo(expected.path("data"));
    } else {
      assertThat(images(result.object())).isEqualTo(images(expected));
    }
  }

  private static String images(JsonNode deployment) {
    StringBuilder text = new StringBuilder();
    deployment
        .at("/spec/template/spec/containers")
        .forEach(
            item ->
                text.append(item.path("name").asText())
                    .append('=')
                    .append(item.path("image").asText())
                    .append(item.has("ports") ? "+ports " : " "));
    return text.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "apply-again, apply-conflict, m2",
    "apply-drop-field, apply-conflict2, m3",
    "apply-drop-field, apply-managedfields-set, m2",
    "apply-drop-field, apply-unknown-field, m2",
    "ssa-deploy-owner-drops-port, ssa-uid-mismatch-or-missing-name, a",
    "ssa-deploy-owner-drops-port, ssa-dup-container, a",
  })
  void failuresAreUpstreams(String before, String label, String manager) {
    ObjectNode live = normal(response(before));
    assertThatThrownBy(() -> apply(live, request(label), manager, false))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.status().toJson()).isEqualTo(response(label)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'spec':{'replicas':'lots'}} | .spec.replicas: expected numeric (int or float), got string",
        "{'spec':{'paused':'yes'}} | .spec.paused: expected boolean, got &{yes}",
        "{'spec':{'template':{'spec':{'nodeName':1}}}} | .spec.template.spec.nodeName: expected string, got &value.valueUnstructured{Value:1}",
        "{'spec':{'template':{'spec':{'containers':{'a':1}}}}} | .spec.template.spec.containers: expected list, got &{map[a:1]}",
        "{'spec':{'template':[1]}} | .spec.template: expected map, got &{[1]}",
        "{'spec':{'template':{'spec':{'containers':[{'image':'x'}]}}}} | .spec.template.spec.containers: element 0: associative list with keys has an element that omits key field \"name\" (and doesn't have default value)",
        "{'metadata':{'finalizers':['a','a']}} | .metadata.finalizers: duplicate entries for key [=\"a\"]",
        "{'spec':{'replicas':'1','paused':1}} | `errors:\n  .spec.replicas: expected numeric (int or float), got string\n  .spec.paused: expected boolean, got &{1}`",
      })
  void configurationsThatDoNotFitAreRefused(String part, String message) {
    ObjectNode config = object("{'apiVersion':'apps/v1','kind':'Deployment'}");
    config.setAll(object(part));
    assertThatThrownBy(() -> apply(null, config, "m", false))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.status().code()).isEqualTo(500))
        .hasMessage(
            "failed to create typed patch object (/; apps/v1, Kind=Deployment): " + message);
  }

  @Test
  void anotherKindOrVersionIsABadRequest() {
    ObjectNode config = object("{'apiVersion':'v1','kind':'Secret'}");
    WriteContext context = context(object("{'apiVersion':'v1','kind':'ConfigMap'}"), "m", NOW);
    assertThatThrownBy(() -> UpdateTest.manager(config).apply(null, config, context, false))
        .hasMessage("invalid object type: /v1, Kind=Secret");
  }

  private static final String MAP = "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'c'}";

  @Test
  void severalConflictsAreListedByManager() {
    ObjectNode live = applied(null, MAP + ",'data':{'a':'1','b':'1'}}", "m1");
    ObjectNode next = live.deepCopy();
    next.withObjectProperty("data").put("c", "1");
    ObjectNode shared = updated(live, next, "m0");
    assertThatThrownBy(() -> applied(shared, MAP + ",'data':{'a':'2','b':'2','c':'2'}}", "m2"))
        .hasMessage(
            "Apply failed with 3 conflicts: conflicts with \"m0\" using v1:\n- .data.c\n"
                + "conflicts with \"m1\":\n- .data.a\n- .data.b");
    assertThatThrownBy(() -> applied(shared, MAP + ",'data':{'c':'2'}}", "m2"))
        .hasMessage("Apply failed with 1 conflict: conflict with \"m0\" using v1: .data.c");
  }

  @Test
  void equalValuesAreSharedAndStayUntilTheLastOwnerDropsThem() {
    ObjectNode live = applied(null, MAP + ",'data':{'a':'1'}}", "m1");
    live = applied(live, MAP + ",'data':{'a':'1'}}", "m2");
    assertThat(owners(live))
        .containsExactly(
            "m2 Apply {\"f:data\":{\"f:a\":{}}}", "m1 Apply {\"f:data\":{\"f:a\":{}}}");
    live = applied(live, MAP + "}", "m1");
    assertThat(live.path("data").path("a").asText()).isEqualTo("1");
    assertThat(owners(live)).containsExactly("m2 Apply {\"f:data\":{\"f:a\":{}}}");
    live = applied(live, MAP + "}", "m2");
    assertThat(live.has("data")).isFalse();
    assertThat(live.path("metadata").path("name").asText()).isEqualTo("c");
    assertThat(live.path("metadata").has("managedFields")).isFalse();
  }

  @Test
  void updatersKeepWhatAnApplierDrops() {
    ObjectNode live = applied(null, MAP + ",'data':{'a':'1'}}", "m1");
    ObjectNode next = live.deepCopy();
    next.withObjectProperty("data").put("u", "1");
    live = updated(live, next, "editor");
    live = applied(live, MAP + "}", "m1");
    assertThat(live.path("data")).isEqualTo(object("{'u':'1'}"));
    assertThat(owners(live)).containsExactly("editor Update {\"f:data\":{\"f:u\":{}}}");
  }

  @Test
  void applyingTheSameAgainChangesNothingAndKeepsTheTime() {
    ObjectNode config = object(MAP + ",'data':{'a':'1'}}");
    ObjectNode live =
        UpdateTest.manager(config)
            .apply(null, config, context(config, "m", Instant.EPOCH), false)
            .object();
    ApplyResult again = apply(live, config, "m", false);
    assertThat(again.changed()).isFalse();
    assertThat(again.object()).isEqualTo(live);
  }

  @Test
  void whatWasThereBeforeTheFirstApplyHasAnOwner() {
    ObjectNode live = normal(object(MAP + ",'data':{'a':'1','b':'1'}}"));
    ObjectNode after = applied(live, MAP + ",'data':{'a':'1'}}", "m");
    assertThat(owners(after))
        .containsExactly(
            "m Apply {\"f:data\":{\"f:a\":{}}}",
            "before-first-apply Update {\"f:data\":{\".\":{},\"f:a\":{},\"f:b\":{}}}");
    assertThatThrownBy(() -> applied(live, MAP + ",'data':{'a':'2'}}", "m"))
        .hasMessage(
            "Apply failed with 1 conflict: conflict with \"before-first-apply\" using v1: .data.a");
  }

  private static final String POD =
      "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'%s},'spec':{%s}}";

  private static String pod(String spec) {
    return POD.formatted("", spec);
  }

  @Test
  void associativeListsMergeByKeyAndKeepWhatOthersHave() {
    ObjectNode live =
        applied(
            null,
            pod("'containers':[{'name':'a','image':'1','env':[{'name':'X','value':'1'}]}]"),
            "m1");
    live =
        applied(
            live,
            pod(
                "'containers':[{'name':'b','image':'2'},{'name':'a','env':[{'name':'Y','value':'2'}]}]"),
            "m2");
    assertThat(live.path("spec").path("containers").findValuesAsText("name"))
        .containsExactly("b", "a", "X", "Y");
    assertThat(live.at("/spec/containers/1/image").asText()).isEqualTo("1");
    live = applied(live, pod("'containers':[{'name':'b','image':'2'}]"), "m2");
    assertThat(live.at("/spec/containers/1/env"))
        .isEqualTo(Captures.json("[{\"name\":\"X\",\"value\":\"1\"}]"));
    live = applied(live, pod("'restartPolicy':'Never'"), "m1");
    assertThat(live.at("/spec/containers").findValuesAsText("name")).containsExactly("b");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a b c | c a | b c a",
        "a b c | x a | x a b c",
        "a b c | b x | a b c x",
        "a b c | c b a | c b a",
        "a b c | d | a b c d",
        "a b | b d a | b d a",
        "s1 a s2 b s3 | b a | s1 s2 b s3 a",
        "s1 a s2 b s3 | a n b | s1 a s2 n b s3",
      })
  void appliedOrderWinsAndOthersStayAround(String live, String config, String expected)
      throws Exception {
    ObjectNode merged =
        AppliedMerge.merge(
            Captures.SCHEMA.type("core.v1.PodSpec"), containers(live), containers(config));
    assertThat(String.join(" ", merged.path("containers").findValuesAsText("name")))
        .isEqualTo(expected);
  }

  private static ObjectNode containers(String names) {
    ObjectNode spec = object("{'containers':[]}");
    for (String name : names.split(" ", -1)) {
      spec.withArrayProperty("containers").addObject().put("name", name);
    }
    return spec;
  }

  @Test
  void setsAreUnionsAndItemsLeaveWithTheirLastOwner() {
    String template =
        "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'c','finalizers':[%s]}}";
    ObjectNode live = applied(null, template.formatted("'a/x','a/y'"), "m1");
    live = applied(live, template.formatted("'a/z','a/y'"), "m2");
    assertThat(live.path("metadata").path("finalizers").toString())
        .isEqualTo("[\"a/x\",\"a/z\",\"a/y\"]");
    live = applied(live, template.formatted("'a/y'"), "m1");
    assertThat(live.path("metadata").path("finalizers").toString()).isEqualTo("[\"a/z\",\"a/y\"]");
  }

  @Test
  void atomicFieldsAreTakenAsAWhole() {
    ObjectNode live = applied(null, pod("'nodeSelector':{'a':'1'}"), "m1");
    assertThat(owners(live)).containsExactly("m1 Apply {\"f:spec\":{\"f:nodeSelector\":{}}}");
    ObjectNode held = live;
    assertThatThrownBy(() -> applied(held, pod("'nodeSelector':{'b':'1'}"), "m2"))
        .hasMessageContaining(".spec.nodeSelector");
    ObjectNode taken = apply(live, object(pod("'nodeSelector':{'b':'1'}")), "m2", true).object();
    assertThat(taken.at("/spec/nodeSelector")).isEqualTo(object("{'b':'1'}"));
    assertThat(owners(taken)).containsExactly("m2 Apply {\"f:spec\":{\"f:nodeSelector\":{}}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'hostNetwork':true | 'hostNetwork':false | .spec.hostNetwork",
        "'priorityClassName':'high' | 'priorityClassName':'' | .spec.priorityClassName",
        "'tolerations':[{'key':'a'}] | 'tolerations':[] | .spec.tolerations",
        "'nodeSelector':{'a':'1'} | 'nodeSelector':{} | .spec.nodeSelector",
        "'nodeSelector':{'a':'1'} | 'nodeSelector':null | .spec.nodeSelector",
        "'containers':[{'name':'c','args':['x']}] | 'containers':[{'name':'c','args':[]}]"
            + " | .spec.containers[name=\"c\"].args",
        "'containers':[{'name':'c','stdin':true}] | 'containers':[{'name':'c','stdin':false}]"
            + " | .spec.containers[name=\"c\"].stdin",
        "'containers':[{'name':'c','env':[{'name':'A','value':'1'}]}]"
            + " | 'containers':[{'name':'c','env':[{'name':'A','value':''}]}]"
            + " | .spec.containers[name=\"c\"].env[name=\"A\"].value",
      })
  void anEmptyValueConflictsLikeAnyOther(String held, String emptied, String path) {
    ObjectNode live = applied(null, pod(held), "m1");
    assertThatThrownBy(() -> applied(live, pod(emptied), "m2"))
        .hasMessage("Apply failed with 1 conflict: conflict with \"m1\": " + path);
    ObjectNode taken = apply(live, object(pod(emptied)), "m2", true).object();
    assertThat(owners(taken))
        .noneMatch(owner -> owner.startsWith("m1") && owner.contains(leaf(path)));
    assertThat(owners(taken))
        .anyMatch(owner -> owner.startsWith("m2") && owner.contains(leaf(path)));
  }

  private static String leaf(String path) {
    return "f:" + path.substring(path.lastIndexOf('.') + 1);
  }

  @Test
  void anEmptyValueThatIsThereAlreadyIsShared() {
    ObjectNode live = applied(null, pod("'hostNetwork':false"), "m1");
    live = applied(live, pod("'hostNetwork':false"), "m2");
    assertThat(owners(live))
        .containsExactlyInAnyOrder(
            "m1 Apply {\"f:spec\":{\"f:hostNetwork\":{}}}",
            "m2 Apply {\"f:spec\":{\"f:hostNetwork\":{}}}");
  }

  @Test
  void anApplierMayEmptyWhatItAloneOwns() {
    ObjectNode live = applied(null, pod("'tolerations':[{'key':'a'}],'nodeName':'n'"), "m1");
    live = applied(live, pod("'tolerations':[],'nodeName':'n'"), "m1");
    assertThat(live.path("spec").has("tolerations")).isFalse();
    assertThat(owners(live))
        .containsExactly("m1 Apply {\"f:spec\":{\"f:nodeName\":{},\"f:tolerations\":{}}}");
  }

  @Test
  void defaultsInsideAnAppliedItemGoWithItAndAnnotationsOfOthersStay() {
    ObjectNode live =
        applied(
            null,
            POD.formatted(
                ",'annotations':{'mine':'1'}",
                "'containers':[{'name':'a','ports':[{'containerPort':80}]}]"),
            "m1");
    ObjectNode defaulted = live.deepCopy();
    ((ObjectNode) defaulted.at("/spec/containers/0/ports/0")).put("protocol", "TCP");
    ObjectNode annotated = defaulted.deepCopy();
    ((ObjectNode) annotated.at("/metadata/annotations")).put("theirs", "1");
    live = updated(defaulted, annotated, "other");
    live = applied(live, pod("'containers':[{'name':'a'}]"), "m1");
    assertThat(live.at("/spec/containers/0").has("ports")).isFalse();
    assertThat(live.at("/metadata/annotations")).isEqualTo(object("{'theirs':'1'}"));
  }

  @Test
  void nothingOfTheStatusIsOwnedThroughTheObject() {
    ObjectNode config = object(pod("'nodeName':'n'"));
    config.putObject("status").put("phase", "Running");
    ObjectNode live = apply(null, config, "m", false).object();
    assertThat(owners(live)).containsExactly("m Apply {\"f:spec\":{\"f:nodeName\":{}}}");
  }

  @Test
  void aConfigurationWithoutMetadataLosesNoIdentity() {
    ObjectNode live = normal(applied(null, MAP + ",'data':{'a':'1'}}", "m1"));
    ((ObjectNode) live.path("metadata")).put("uid", "u").putObject("labels").put("l", "1");
    live = applied(live, MAP.replace("}", ",'labels':{'l':'1'}}") + ",'data':{'a':'1'}}", "m1");
    live = applied(live, "{'apiVersion':'v1','kind':'ConfigMap','data':{'a':'2'}}", "m1");
    assertThat(live.path("metadata").path("uid").asText()).isEqualTo("u");
    assertThat(live.path("metadata").path("name").asText()).isEqualTo("c");
    assertThat(live.path("metadata").has("labels")).isFalse();
    assertThat(live.path("kind").asText()).isEqualTo("ConfigMap");
    assertThat(live.at("/metadata/managedFields/0/time").asText()).isEqualTo(LATER);
  }
}

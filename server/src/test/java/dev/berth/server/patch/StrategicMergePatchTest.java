package dev.berth.server.patch;

import static dev.berth.server.fields.Captures.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.fields.Captures;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.schema.ObjectType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StrategicMergePatchTest {
  private static final ObjectType POD_SPEC = Captures.SCHEMA.type("core.v1.PodSpec");
  private static final ObjectType META = Captures.SCHEMA.type("meta.v1.ObjectMeta");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // Elements merge by key.
        "{'containers':[{'name':'a','image':'1'},{'name':'b'}]}"
            + "| {'containers':[{'name':'b','image':'2'}]}"
            + "| {'containers':[{'name':'a','image':'1'},{'name':'b','image':'2'}]}",
        // Nested lists merge too.
        "{'containers':[{'name':'a','env':[{'name':'X','value':'1'},{'name':'Y','value':'2'}]}]}"
            + "| {'containers':[{'name':'a','env':[{'name':'Y','value':'3'}]}]}"
            + "| {'containers':[{'name':'a','env':[{'name':'X','value':'1'},{'name':'Y','value':'3'}]}]}",
        // A new element goes before those that the patch does not mention.
        "{'containers':[{'name':'a'}]} | {'containers':[{'name':'n'}]}"
            + "| {'containers':[{'name':'n'},{'name':'a'}]}",
        // The order of the patch wins over the server's.
        "{'containers':[{'name':'a'},{'name':'s'},{'name':'b'}]}"
            + "| {'containers':[{'name':'b'},{'name':'a'}]}"
            + "| {'containers':[{'name':'s'},{'name':'b'},{'name':'a'}]}",
        // Deleting, also of what is not there.
        "{'containers':[{'name':'a'},{'name':'b'}]}"
            + "| {'containers':[{'$patch':'delete','name':'a'},{'$patch':'delete','name':'x'}]}"
            + "| {'containers':[{'name':'b'}]}",
        // Replacing the whole list.
        "{'containers':[{'name':'a'},{'name':'b'}]}"
            + "| {'containers':[{'name':'c'},{'$patch':'replace'}]} | {'containers':[{'name':'c'}]}",
        "{'containers':[{'name':'a'}]} | {'containers':[{'$patch':'replace'}]} | {'containers':[]}",
        // Lists without a strategy are replaced.
        "{'tolerations':[{'key':'a'}]} | {'tolerations':[{'key':'b'}]} | {'tolerations':[{'key':'b'}]}",
        // Maps.
        "{'nodeSelector':{'a':'1','b':'2'}} | {'nodeSelector':{'a':null,'c':'3'}}"
            + "| {'nodeSelector':{'b':'2','c':'3'}}",
        "{'nodeSelector':{'a':'1'}} | {'nodeSelector':{'$patch':'replace','c':'3'}}"
            + "| {'nodeSelector':{'c':'3'}}",
        "{'nodeSelector':{'a':'1'}} | {'nodeSelector':{'$patch':'delete'}} | {'nodeSelector':{}}",
        "{'nodeSelector':{'a':'1'}} | {'nodeSelector':{'$patch':'merge','c':'3'}}"
            + "| {'nodeSelector':{'a':'1','c':'3'}}",
        // Unions.
        "{'volumes':[{'name':'v','emptyDir':{}}]}"
            + "| {'volumes':[{'name':'v','$retainKeys':['name','hostPath'],'hostPath':{'path':'/x'}}]}"
            + "| {'volumes':[{'name':'v','hostPath':{'path':'/x'}}]}",
        // One port, two protocols: the first is patched, both stay.
        "{'containers':[{'name':'a','ports':[{'containerPort':53,'protocol':'UDP'},{'containerPort':53,'protocol':'TCP'}]}]}"
            + "| {'containers':[{'name':'a','ports':[{'containerPort':53,'name':'dns'}]}]}"
            + "| {'containers':[{'name':'a','ports':[{'containerPort':53,'protocol':'UDP','name':'dns'},{'containerPort':53,'protocol':'TCP'}]}]}",
        // What is new loses its directives and nulls.
        "{} | {'securityContext':{'$retainKeys':['runAsUser'],'runAsUser':1,'fsGroup':null}}"
            + "| {'securityContext':{'runAsUser':1}}",
        "{} | {'containers':[{'name':'a','$setElementOrder/env':[{'name':'X'}],'env':[{'name':'X'}]},{'name':'b','$patch':'delete'}]}"
            + "| {'containers':[{'name':'a','env':[{'name':'X'}]}]}",
        // Order directives.
        "{'containers':[{'name':'a'},{'name':'b'},{'name':'s'}]}"
            + "| {'$setElementOrder/containers':[{'name':'b'},{'name':'a'}]}"
            + "| {'containers':[{'name':'b'},{'name':'a'},{'name':'s'}]}",
        "{'containers':[{'name':'a'},{'name':'b'}]}"
            + "| {'$setElementOrder/containers':[{'name':'c'},{'name':'b'}],'containers':[{'name':'c'},{'name':'a','$patch':'delete'}]}"
            + "| {'containers':[{'name':'c'},{'name':'b'}]}",
        "{} | {'$setElementOrder/containers':[{'name':'c'}],'containers':[{'name':'c'}]}"
            + "| {'containers':[{'name':'c'}]}",
        "{'containers':null} | {'$setElementOrder/containers':[{'name':'c'}]} | {'containers':null}",
      })
  void podSpecsArePatched(String target, String patch, String expected) {
    ObjectNode live = object(target);
    ObjectNode change = object(patch);
    assertThat(StrategicMergePatch.apply(POD_SPEC, live, change)).isEqualTo(object(expected));
    assertThat(live).isEqualTo(object(target));
    assertThat(change).isEqualTo(object(patch));
  }

  @Test
  void aListThatIsReplacedAsAWholeCanBeDeletedFrom() {
    ObjectNode live = object("{'containers':[{'name':'a','args':['a','b','c']}]}");
    ObjectNode patch =
        object("{'containers':[{'name':'a','$deleteFromPrimitiveList/args':['a','x']}]}");
    assertThat(StrategicMergePatch.apply(POD_SPEC, live, patch))
        .isEqualTo(object("{'containers':[{'name':'a','args':['b','c']}]}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'finalizers':['a','b']} | {'finalizers':['c','a']} | {'finalizers':['c','a','b']}",
        "{'finalizers':['a','b']} | {'$deleteFromPrimitiveList/finalizers':['a','x']} | {'finalizers':['b']}",
        "{'labels':{}} | {'$deleteFromPrimitiveList/finalizers':['a']} | {'labels':{}}",
        "{'finalizers':['a','b']} | {'$setElementOrder/finalizers':['b','a','c'],'finalizers':['c']}"
            + "| {'finalizers':['b','a','c']}",
      })
  void setsArePatched(String target, String patch, String expected) {
    assertThat(StrategicMergePatch.apply(META, object(target), object(patch)))
        .isEqualTo(object(expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'containers':[{'image':'y'}]} | 500 | map: map[image:y] does not contain declared merge key: name",
        "{'containers':[{'name':'a','$patch':'x'}]} | 500 | unknown patch type: x in map: map[$patch:x name:a]",
        "{'nodeSelector':{'$patch':'x'}} | 500 | unknown patch type: x in map: map[$patch:x]",
        "{'nodeSelector':{'$retainKeys':['b'],'c':'1'}} | 400 | invalid patch format of retainKeys",
        "{'nodeSelector':{'$retainKeys':'b'}} | 400 | invalid patch format of retainKeys",
        "{'$setElementOrder/containers':'x'} | 400 | invalid patch format of setElementOrder list",
        "{'$setElementOrder':[]} | 400 | invalid patch format of setElementOrder list",
        "{'$deleteFromPrimitiveList':[]} | 400 | invalid patch format of primitive list",
        "{'containers':[['a']]} | 422 | the server rejected our request due to an error in our request",
        "{'$setElementOrder/containers':[{'name':'b'}],'containers':[{'name':'a'}]} | 500 | `The order in patch list:\n[map[name:a]]\n doesn't match $setElementOrder list:\n[map[name:b]]\n`",
      })
  void mistakesAreReported(String patch, int code, String message) {
    ObjectNode live = object("{'containers':[{'name':'a'}],'nodeSelector':{'a':'1'}}");
    assertThatThrownBy(() -> StrategicMergePatch.apply(POD_SPEC, live, object(patch)))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.status().code()).isEqualTo(code))
        .hasMessage(message);
  }

  @Test
  void aMissingMergeKeyAnswersAsUpstream() {
    ObjectNode live = Captures.response("smp-strategy-retainkeys");
    JsonNode patch = Captures.request("smp-no-mergekey");
    assertThatThrownBy(() -> StrategicMergePatch.apply(Captures.typeOf(live), live, patch))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> assertThat(e.status().toJson()).isEqualTo(Captures.response("smp-no-mergekey")));
  }

  @ParameterizedTest
  @CsvSource({
    "generation-label-nobump, smp-container-add",
    "smp-container-add, smp-container-delete",
    "smp-container-delete, smp-replace-map",
    "smp-replace-map, smp-strategy-retainkeys",
    "smp-strategy-retainkeys, smp-set-order"
  })
  void captureStepsAreReproduced(String before, String after) {
    ObjectNode live = Captures.response(before);
    ObjectNode patched =
        StrategicMergePatch.apply(Captures.typeOf(live), live, Captures.request(after));
    ObjectNode expected = Captures.response(after);
    assertThat(patched.path("metadata").path("labels"))
        .isEqualTo(expected.path("metadata").path("labels"));
    assertThat(patched.path("spec").path("strategy"))
        .isEqualTo(expected.path("spec").path("strategy"));
    assertThat(containers(patched)).isEqualTo(containers(expected));
  }

  /// Without what defaulting adds later.
  private static List<String> containers(JsonNode deployment) {
    List<String> containers = new ArrayList<>();
    for (JsonNode item : deployment.at("/spec/template/spec/containers")) {
      containers.add(item.path("name").asText() + "=" + item.path("image").asText());
    }
    return containers;
  }

  @Test
  void aPrimitiveDeletionIsReproduced() {
    ObjectNode expected = Captures.response("smp-primitive-delete");
    ObjectNode live = expected.deepCopy();
    ((ObjectNode) live.path("metadata"))
        .putArray("finalizers")
        .add("example.com/a")
        .add("example.com/b");
    ObjectNode patched =
        StrategicMergePatch.apply(
            Captures.typeOf(live), live, Captures.request("smp-primitive-delete"));
    assertThat(patched).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void anOrderedDifferenceLeadsFromAnyListToAnyOther(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 500; round++) {
      ObjectNode from = randomSpec(random);
      ObjectNode to = randomSpec(random);
      assertThat(StrategicMergePatch.apply(POD_SPEC, from, difference(from, to)))
          .as("from %s to %s", from, to)
          .isEqualTo(to);
      assertThat(StrategicMergePatch.apply(POD_SPEC, from, JsonTrees.object())).isEqualTo(from);
    }
  }

  private static ObjectNode randomSpec(Random random) {
    List<String> names = new ArrayList<>(List.of("a", "b", "c", "d", "e"));
    Collections.shuffle(names, random);
    ObjectNode spec = JsonTrees.object();
    var containers = spec.putArray("containers");
    for (String name : names.subList(0, 1 + random.nextInt(4))) {
      containers.addObject().put("name", name).put("image", "i" + random.nextInt(2));
    }
    return spec;
  }

  /// The patch that kubectl would send.
  private static ObjectNode difference(ObjectNode from, ObjectNode to) {
    ObjectNode patch = JsonTrees.object();
    var order = patch.putArray("$setElementOrder/containers");
    var changes = patch.putArray("containers");
    for (JsonNode item : to.path("containers")) {
      order.addObject().set("name", item.path("name"));
      changes.add(item);
    }
    for (JsonNode item : from.path("containers")) {
      boolean kept =
          to.path("containers").findValuesAsText("name").contains(item.path("name").asText());
      if (!kept) {
        changes.addObject().put("$patch", "delete").set("name", item.path("name"));
      }
    }
    return patch;
  }
}

package dev.berth.server.fields;

import static dev.berth.server.fields.Captures.normal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.schema.ObjectType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random appliers and editors on one pod; what must hold whatever they do.
class ApplyPropertiesTest {
  private static final ObjectType POD = Captures.SCHEMA.type("core.v1.Pod");
  private static final FieldManager FIELDS = new FieldManager(ServedVersions.only("v1", POD));

  private static WriteContext context(String manager, int second) {
    return new WriteContext(
        manager, "v1", "", Instant.ofEpochSecond(second), POD, FieldSet.of("status"));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void ownersAndObjectsStayTrueToEachOther(long seed) throws Exception {
    Random random = new Random(seed);
    ObjectNode live = FIELDS.update(null, normal(pod(random)), context("creator", 0));
    for (int round = 1; round < 150; round++) {
      String manager = "m" + random.nextInt(4);
      if (random.nextInt(4) == 0) {
        live = FIELDS.update(live, edited(live, random), context("e" + random.nextInt(3), round));
      } else {
        ObjectNode config = pod(random);
        boolean force = random.nextBoolean();
        try {
          ObjectNode before = live.deepCopy();
          ObjectNode configBefore = config.deepCopy();
          ObjectNode after = FIELDS.apply(live, config, context(manager, round), force).object();
          assertThat(live).as("the live object is left alone").isEqualTo(before);
          assertThat(config).as("the configuration is left alone").isEqualTo(configBefore);
          requireApplied(config, after);
          requireIdempotent(config, after, manager, round);
          live = after;
        } catch (ApiException e) {
          assertThat(e.status().code()).isEqualTo(409);
          assertThat(force).as("force has no conflicts").isFalse();
        }
      }
      requireOwnedFieldsExist(live);
    }
  }

  /// Everything that was applied is there.
  private static void requireApplied(ObjectNode config, ObjectNode after) throws Exception {
    FieldSet wanted = FieldSets.of(POD, normal(config));
    FieldSet there = FieldSets.withNamedFields(FieldSets.of(POD, after), POD);
    ObjectComparison difference = ObjectComparison.of(POD, normal(config), after);
    assertThat(wanted.difference(there).toString()).isEqualTo("{}");
    assertThat(difference.modified().recursiveDifference(FieldSet.of("metadata")).isEmpty())
        .as("%s in %s", config, after)
        .isTrue();
  }

  private static void requireIdempotent(
      ObjectNode config, ObjectNode after, String manager, int round) {
    FieldManager.ApplyResult again =
        FIELDS.apply(after, config, context(manager, round + 1), false);
    assertThat(again.changed()).isFalse();
    assertThat(again.object()).isEqualTo(after);
  }

  private static void requireOwnedFieldsExist(ObjectNode live) throws Exception {
    FieldSet there = FieldSets.withNamedFields(FieldSets.of(POD, live), POD);
    for (JsonNode entry : live.path("metadata").path("managedFields")) {
      FieldSet owned = FieldsV1.decode(entry.path("fieldsV1"));
      assertThat(owned.isEmpty()).isFalse();
      assertThat(owned.difference(there).toString()).as("owned by nobody's field").isEqualTo("{}");
      assertThat(
              FieldSets.of(POD, PathRemoval.remove(POD, live, owned)).intersection(owned).isEmpty())
          .as("what a manager owns can be removed")
          .isTrue();
    }
  }

  private static ObjectNode edited(ObjectNode live, Random random) {
    ObjectNode next = live.deepCopy();
    ((ObjectNode) next.path("metadata")).set("labels", labels(random));
    ((ObjectNode) next.path("spec")).put("nodeName", "n" + random.nextInt(2));
    ArrayNode containers = (ArrayNode) next.at("/spec/containers");
    if (random.nextBoolean() && !containers.isEmpty()) {
      ((ObjectNode) containers.get(0)).put("image", "e" + random.nextInt(3));
    }
    if (random.nextInt(5) == 0 && containers.size() > 1) {
      containers.remove(0);
    }
    return next;
  }

  private static ObjectNode labels(Random random) {
    ObjectNode labels = JsonTrees.object();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      labels.put("l" + random.nextInt(4), "v" + random.nextInt(2));
    }
    return labels;
  }

  private static ObjectNode pod(Random random) {
    ObjectNode pod = Captures.object("{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'}}");
    if (random.nextBoolean()) {
      ((ObjectNode) pod.path("metadata")).set("labels", labels(random));
    }
    ObjectNode spec = pod.putObject("spec");
    List<String> names = new ArrayList<>(List.of("a", "b", "c"));
    Collections.shuffle(names, random);
    ArrayNode containers = spec.putArray("containers");
    for (String name : names.subList(0, 1 + random.nextInt(3))) {
      ObjectNode container = containers.addObject().put("name", name);
      if (random.nextBoolean()) {
        container.put("image", "i" + random.nextInt(2));
      }
      if (random.nextBoolean()) {
        container
            .putArray("ports")
            .addObject()
            .put("containerPort", 80 + random.nextInt(2))
            .put("name", "p" + random.nextInt(2));
      }
      if (random.nextBoolean()) {
        container.putObject("resources").putObject("limits").put("cpu", "" + random.nextInt(3));
      }
    }
    if (random.nextBoolean()) {
      spec.putObject("nodeSelector").put("k" + random.nextInt(2), "v");
    }
    return pod;
  }
}

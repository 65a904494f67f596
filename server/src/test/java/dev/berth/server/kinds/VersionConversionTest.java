package dev.berth.server.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.schema.ObjectType;
import dev.berth.server.schema.SchemaField;
import dev.berth.server.schema.ValueShape;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Converts random objects there and back.
class VersionConversionTest {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final int OBJECTS = 300;
  private static final int DEPTH = 5;

  private final ServedKinds kinds = new Trial().kinds();

  @ParameterizedTest
  @CsvSource({
    "node.k8s.io, v1beta1, runtimeclasses",
    "node.k8s.io, v1alpha1, runtimeclasses",
    "events.k8s.io, v1, events"
  })
  void nothingIsLostBetweenVersions(String group, String version, String plural) {
    ResourceKind kind = kinds.resource(group, version, plural).orElseThrow();
    ServedVersion served = kind.served(group, version).orElseThrow();
    ServedVersion stored = kind.storedVersion();
    Random random = new Random(585);
    for (int i = 0; i < OBJECTS; i++) {
      ObjectNode asServed = normal(served, object(served.type(), random, 0));
      ObjectNode converted = normal(stored, served.conversion().toStored(asServed.deepCopy()));
      assertThat(normal(served, served.conversion().fromStored(converted.deepCopy())))
          .isEqualTo(asServed);

      ObjectNode asStored = normal(stored, object(stored.type(), random, 0));
      ObjectNode shown = normal(served, served.conversion().fromStored(asStored.deepCopy()));
      assertThat(normal(stored, served.conversion().toStored(shown.deepCopy())))
          .isEqualTo(asStored);
    }
  }

  /// In normal form, with no field that the version does not have.
  private static ObjectNode normal(ServedVersion version, ObjectNode tree) {
    ArrayList<String> unknown = new ArrayList<>();
    ObjectNode normal = Trial.normal(version, tree, unknown);
    assertThat(unknown).isEmpty();
    return normal;
  }

  private static ObjectNode object(ObjectType type, Random random, int depth) {
    ObjectNode object = NODES.objectNode();
    for (SchemaField field : type.fields()) {
      if (random.nextInt(4) > 0) {
        object.set(field.name(), value(field.shape(), random, depth + 1));
      }
    }
    return object;
  }

  private static JsonNode value(ValueShape shape, Random random, int depth) {
    return switch (shape) {
      case ValueShape.Struct(ObjectType type) ->
          depth > DEPTH ? NODES.objectNode() : object(type, random, depth);
      case ValueShape.ListOf(ValueShape element) -> {
        var list = NODES.arrayNode();
        for (int i = random.nextInt(3); i > 0 && depth <= DEPTH; i--) {
          list.add(value(element, random, depth + 1));
        }
        yield list;
      }
      case ValueShape.MapOf(ValueShape element) -> {
        ObjectNode map = NODES.objectNode();
        for (int i = random.nextInt(3); i > 0; i--) {
          map.set("key" + random.nextInt(100), value(element, random, depth + 1));
        }
        yield map;
      }
      case ValueShape.Scalar scalar -> scalar(scalar, random);
    };
  }

  private static JsonNode scalar(ValueShape.Scalar scalar, Random random) {
    return switch (scalar) {
      case STRING -> NODES.textNode("text" + random.nextInt(1000));
      case BYTES ->
          NODES.textNode(
              Base64.getEncoder().encodeToString(new byte[] {1, 2, (byte) random.nextInt()}));
      case INT32, INT_OR_STRING -> NODES.numberNode(random.nextInt(1000));
      case INT64 -> NODES.numberNode(random.nextLong());
      case BOOL -> NODES.booleanNode(random.nextBoolean());
      case TIME, MICRO_TIME ->
          NODES.textNode("2026-11-15T18:47:%02dZ".formatted(random.nextInt(60)));
      case QUANTITY -> NODES.textNode(random.nextInt(1000) + "m");
      case FIELDS, RAW -> NODES.objectNode();
    };
  }
}

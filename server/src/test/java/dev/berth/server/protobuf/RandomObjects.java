package dev.berth.server.protobuf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.json.ScalarForms;
import dev.berth.server.schema.ObjectType;
import dev.berth.server.schema.SchemaField;
import dev.berth.server.schema.ValueShape;
import java.time.Instant;
import java.util.Base64;
import java.util.Random;

/// Makes objects of any type: about half of the fields, all sorts of values; lists and maps are not
/// empty, because protobuf has no way to say so.
final class RandomObjects {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String[] TEXTS = {"", "a", "ünïcode ☃ 🚢", "line\nbreak", "x".repeat(300)};
  private static final String[] QUANTITIES = {"0", "500m", "2", "1Gi", "1500m", "12e6", "-3"};
  private static final long[] NUMBERS = {0, 1, -1, 127, 128, 65_536, Integer.MAX_VALUE};

  private final Random random;

  RandomObjects(Random random) {
    this.random = random;
  }

  ObjectNode object(ObjectType type, int depth) {
    ObjectNode tree = JsonTrees.object();
    for (SchemaField field : type.fields()) {
      if (field.number() > 0 && random.nextBoolean()) {
        tree.set(field.name(), value(field.shape(), depth));
      }
    }
    return tree;
  }

  private JsonNode value(ValueShape shape, int depth) {
    return switch (shape) {
      case ValueShape.Scalar scalar -> scalar(scalar);
      case ValueShape.Struct(ObjectType type) ->
          depth == 0 ? JsonTrees.object() : object(type, depth - 1);
      case ValueShape.ListOf(ValueShape element) -> {
        ArrayNode list = NODES.arrayNode();
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
          list.add(value(element, depth));
        }
        yield list;
      }
      case ValueShape.MapOf(ValueShape element) -> {
        ObjectNode map = NODES.objectNode();
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
          map.set("key-" + i, value(element, depth));
        }
        yield map;
      }
    };
  }

  private JsonNode scalar(ValueShape.Scalar scalar) {
    return switch (scalar) {
      case STRING -> NODES.textNode(TEXTS[random.nextInt(TEXTS.length)]);
      case BYTES -> {
        byte[] bytes = new byte[random.nextInt(5)];
        random.nextBytes(bytes);
        yield NODES.textNode(Base64.getEncoder().encodeToString(bytes));
      }
      case INT32 -> NODES.numberNode((int) NUMBERS[random.nextInt(NUMBERS.length)]);
      case INT64 ->
          NODES.numberNode(
              random.nextBoolean() ? random.nextLong() : NUMBERS[random.nextInt(NUMBERS.length)]);
      case BOOL -> NODES.booleanNode(random.nextBoolean());
      case TIME -> NODES.textNode(ScalarForms.time(instant()));
      case MICRO_TIME -> NODES.textNode(ScalarForms.microTime(instant()));
      case QUANTITY -> NODES.textNode(QUANTITIES[random.nextInt(QUANTITIES.length)]);
      case INT_OR_STRING ->
          random.nextBoolean() ? NODES.textNode("50%") : NODES.numberNode(random.nextInt(70_000));
      case FIELDS, RAW -> {
        ObjectNode fields = JsonTrees.object();
        fields.putObject("f:spec").putObject("k:{\"name\":\"c\"}").putObject(".");
        yield fields;
      }
    };
  }

  private Instant instant() {
    return Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000) * 1_000L);
  }
}

package dev.berth.server.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.BufferRecycler;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.core.util.RecyclerPool;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// Parses and writes JSON trees; reports duplicate keys; bounds depth and length of numbers.
///
/// All parsing of clients' JSON goes through here, so the bounds hold everywhere: depth, length of
/// strings and numbers, memory for duplicates. The parser keeps the order of fields and exact
/// numbers. Safe for any number of threads.
public final class JsonTrees {
  /// Deeper bodies are rejected; no kind has a tenth of this depth.
  private static final int MAX_DEPTH = 500;

  /// Deep enough for `metadata.labels` and `status.phase`.
  private static final int OUTLINE_DEPTH = 3;

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /// A shared pool, because thread-local buffers are useless with one thread per request. Bounded,
  /// because buffers keep the size of the largest document.
  private static final RecyclerPool<BufferRecycler> BUFFERS = JsonRecyclerPools.newBoundedPool(32);

  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .recyclerPool(BUFFERS)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxStringLength(16 << 20)
                  .maxNumberLength(400)
                  .build())
          // Interned names would never be freed, and a client could invent any number.
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          // Kubernetes' JSON is UTF-8; other encodings are not detected.
          .disable(JsonFactory.Feature.CHARSET_DETECTION)
          .characterEscapes(new GoEscapes())
          .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
          .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
          .build();

  private JsonTrees() {}

  /// A parsed document and the paths (`data.a`, `spec.containers[0].name`) that occurred more than
  /// once.
  public record Parsed(JsonNode tree, List<String> duplicates) {}

  public static ObjectNode object() {
    return NODES.objectNode();
  }

  public static ArrayNode array() {
    return NODES.arrayNode();
  }

  /// Parses one document; anything but white space after it is an error.
  ///
  /// The fast parser only reports that something is wrong. A second pass finds Go's message; a
  /// document that Go accepts although the fast parser did not contains invalid UTF-8.
  public static Parsed parse(byte[] json) throws JsonSyntaxException {
    try (JsonParser parser = FACTORY.createParser(json)) {
      return repaired(document(parser), json);
    } catch (StreamConstraintsException e) {
      throw limited(e);
    } catch (IOException _) {
      GoSyntaxErrors.check(json);
      return parseInvalidText(json);
    }
  }

  /// Like Go, replaces invalid UTF-8 by the replacement character.
  private static Parsed parseInvalidText(byte[] json) throws JsonSyntaxException {
    try (JsonParser parser = FACTORY.createParser(new String(json, StandardCharsets.UTF_8))) {
      return repaired(document(parser), json);
    } catch (StreamConstraintsException e) {
      throw limited(e);
    } catch (JsonProcessingException e) {
      throw new JsonSyntaxException(e.getOriginalMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Parsed repaired(Parsed parsed, byte[] json) {
    return SurrogatePairs.possible(json)
        ? new Parsed(SurrogatePairs.repaired(parsed.tree()), parsed.duplicates())
        : parsed;
  }

  private static JsonSyntaxException limited(StreamConstraintsException e) {
    boolean deep = String.valueOf(e.getMessage()).contains("nesting depth");
    return new JsonSyntaxException(deep ? "exceeded max depth" : e.getOriginalMessage());
  }

  private static Parsed document(JsonParser parser) throws IOException {
    DuplicatePaths duplicates = new DuplicatePaths();
    if (parser.nextToken() == null) {
      throw new JsonParseException(parser, "no value");
    }
    JsonNode tree = read(parser, duplicates);
    if (parser.nextToken() != null) {
      throw new JsonParseException(parser, "more than one value");
    }
    return new Parsed(tree, duplicates.all());
  }

  /// Parses JSON that this program wrote.
  public static JsonNode parseTrusted(byte[] json) {
    try {
      return parse(json).tree();
    } catch (JsonSyntaxException e) {
      throw new IllegalStateException("own JSON does not parse: " + e.getMessage(), e);
    }
  }

  /// Parses only values at most three levels deep and outside of lists (names, labels, phases) of
  /// JSON that this program wrote. Saves most of the work, which matters with 100,000 objects.
  public static ObjectNode outline(byte[] json) {
    try (JsonParser parser = FACTORY.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new JsonParseException(parser, "not an object");
      }
      ObjectNode outline = outline(parser, OUTLINE_DEPTH);
      if (parser.nextToken() != null) {
        throw new JsonParseException(parser, "more than one value");
      }
      return outline;
    } catch (IOException e) {
      throw new IllegalStateException("own JSON does not parse: " + e.getMessage(), e);
    }
  }

  private static ObjectNode outline(JsonParser parser, int depth) throws IOException {
    ObjectNode object = NODES.objectNode();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (value == JsonToken.START_OBJECT && depth > 1) {
        object.set(name, outline(parser, depth - 1));
      } else if (value.isStructStart()) {
        parser.skipChildren();
      } else {
        object.set(name, read(parser, new DuplicatePaths()));
      }
    }
    return object;
  }

  private static JsonNode read(JsonParser parser, DuplicatePaths duplicates) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> readObject(parser, duplicates);
      case START_ARRAY -> readArray(parser, duplicates);
      case VALUE_STRING -> NODES.textNode(parser.getText());
      case VALUE_NUMBER_INT ->
          switch (parser.getNumberType()) {
            case INT -> NODES.numberNode(parser.getIntValue());
            case LONG -> NODES.numberNode(parser.getLongValue());
            default -> NODES.numberNode(parser.getBigIntegerValue());
          };
      case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDecimalValue());
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      default -> NODES.nullNode();
    };
  }

  private static ObjectNode readObject(JsonParser parser, DuplicatePaths duplicates)
      throws IOException {
    ObjectNode object = NODES.objectNode();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      JsonNode value = read(parser, duplicates);
      if (object.replace(name, value) != null) {
        // Moves the field to its last position, because errors are reported in document order.
        object.remove(name);
        object.set(name, value);
        duplicates.add(() -> dotted(parser.getParsingContext().pathAsPointer()));
      }
    }
    return object;
  }

  private static ArrayNode readArray(JsonParser parser, DuplicatePaths duplicates)
      throws IOException {
    ArrayNode array = NODES.arrayNode();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(read(parser, duplicates));
    }
    return array;
  }

  private static String dotted(JsonPointer pointer) {
    StringBuilder path = new StringBuilder();
    for (JsonPointer rest = pointer; !rest.matches(); rest = rest.tail()) {
      if (rest.getMatchingIndex() >= 0) {
        path.append('[').append(rest.getMatchingIndex()).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(rest.getMatchingProperty());
      }
    }
    return path.toString();
  }

  /// Compares trees; numbers are equal by value, whatever their Java type.
  public static boolean same(JsonNode one, JsonNode other) {
    return one.equals(JsonTrees::compareLeaves, other);
  }

  private static int compareLeaves(JsonNode one, JsonNode other) {
    if (one.isNumber() && other.isNumber()) {
      return one.decimalValue().compareTo(other.decimalValue());
    }
    return one.equals(other) ? 0 : 1;
  }

  public static JsonGenerator generator(OutputStream out) throws IOException {
    return FACTORY.createGenerator(out);
  }

  public static byte[] bytes(JsonNode tree) {
    try (ByteArrayBuilder out = new ByteArrayBuilder(1024);
        JsonGenerator generator = generator(out)) {
      write(generator, tree);
      generator.flush();
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Writes a tree as a part of a larger document.
  public static void write(JsonGenerator generator, JsonNode tree) throws IOException {
    switch (tree.getNodeType()) {
      case OBJECT -> {
        generator.writeStartObject();
        for (Map.Entry<String, JsonNode> field : tree.properties()) {
          generator.writeFieldName(field.getKey());
          write(generator, field.getValue());
        }
        generator.writeEndObject();
      }
      case ARRAY -> {
        generator.writeStartArray();
        for (JsonNode element : tree) {
          write(generator, element);
        }
        generator.writeEndArray();
      }
      case STRING -> generator.writeString(tree.textValue());
      case BOOLEAN -> generator.writeBoolean(tree.booleanValue());
      case NUMBER -> {
        if (tree.canConvertToLong() && tree.isIntegralNumber()) {
          generator.writeNumber(tree.longValue());
        } else {
          generator.writeNumber(tree.asText());
        }
      }
      default -> generator.writeNull();
    }
  }
}

package dev.berth.server.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.json.TreeNormalizer;
import dev.berth.server.json.WrongTypeException;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.server.schema.ObjectType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/// Requests to kube-apiserver 1.32 and what it answered, as an oracle.
public final class Captures {
  public static final ObjectSchema SCHEMA = ObjectSchema.load();

  private static final Map<String, JsonNode> BY_LABEL = load();

  private Captures() {}

  private static Map<String, JsonNode> load() {
    try (InputStream in = Captures.class.getResourceAsStream("captures.jsonl")) {
      Map<String, JsonNode> captures = new HashMap<>();
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(Captures::json)
          .forEach(capture -> captures.put(capture.path("label").asText(), capture));
      return captures;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode capture(String label) {
    return Objects.requireNonNull(BY_LABEL.get(label), label);
  }

  public static JsonNode request(String label) {
    return capture(label).path("request").deepCopy();
  }

  public static ObjectNode response(String label) {
    return (ObjectNode) capture(label).path("response").deepCopy();
  }

  /// Test data is written with single quotes for the sake of reading.
  public static ObjectNode object(String json) {
    return (ObjectNode) json(json.replace('\'', '"'));
  }

  public static JsonNode json(String text) {
    return JsonTrees.parseTrusted(text.getBytes(StandardCharsets.UTF_8));
  }

  public static ObjectType typeOf(JsonNode object) {
    String apiVersion = object.path("apiVersion").asText();
    int slash = apiVersion.indexOf('/');
    String group = slash < 0 ? "core" : apiVersion.substring(0, slash).replaceAll("\\..*", "");
    String version = apiVersion.substring(slash + 1);
    return SCHEMA.type(group + "." + version + "." + object.path("kind").asText());
  }

  public static ObjectNode normal(ObjectNode object) {
    try {
      return new TreeNormalizer(new ArrayList<>()).normalize(typeOf(object), object);
    } catch (WrongTypeException e) {
      throw new IllegalArgumentException(e);
    }
  }
}

package dev.berth.server.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.server.defaults.AcceptedSpellings;
import dev.berth.server.defaults.PodDefaults;
import dev.berth.server.json.TreeNormalizer;
import dev.berth.server.json.WrongTypeException;
import dev.berth.server.schema.ObjectSchema;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Pods for tests: from YAML to what validation sees, and what upstream answered to some requests.
public final class PodSamples {
  private static final ObjectSchema SCHEMA = ObjectSchema.load();
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectMapper YAML = new YAMLMapper();

  private PodSamples() {}

  /// A measured request and its answer.
  public record Capture(JsonNode request, int status, JsonNode answer, List<String> warnings) {}

  /// A defaulted pod.
  public static ObjectNode pod(String yaml) {
    ObjectNode pod = normal("core.v1.Pod", yaml);
    new PodDefaults().apply(pod);
    return pod;
  }

  /// A defaulted pod named `web` with this specification, without the leading `spec:`.
  public static ObjectNode podOf(String spec) {
    return pod("metadata: {name: web, namespace: default}\nspec:\n" + spec.indent(2));
  }

  /// A defaulted pod with one container that has these further fields.
  public static ObjectNode podWithContainer(String fields) {
    return podOf("containers:\n- name: app\n  image: app:1\n" + fields.indent(2));
  }

  public static ObjectNode normal(String type, String yaml) {
    return normal(type, (ObjectNode) yaml(yaml));
  }

  public static ObjectNode normal(String type, ObjectNode tree) {
    try {
      AcceptedSpellings.accept(tree);
      return new TreeNormalizer(new ArrayList<>()).normalize(SCHEMA.type(type), tree);
    } catch (WrongTypeException e) {
      throw new IllegalArgumentException(e);
    }
  }

  public static JsonNode yaml(String yaml) {
    try {
      return YAML.readTree(yaml);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static Capture capture(String label) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(PodSamples.class.getResourceAsStream("captures.jsonl")),
                StandardCharsets.UTF_8))) {
      for (String line : lines.lines().toList()) {
        JsonNode entry = JSON.readTree(line);
        if (entry.path("label").asText().equals(label)) {
          List<String> warnings = new ArrayList<>();
          entry.path("warnings").forEach(warning -> warnings.add(warning.asText()));
          return new Capture(
              entry.path("request"), entry.path("status").asInt(), entry.path("answer"), warnings);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new IllegalArgumentException("no capture " + label);
  }
}

package dev.berth.server.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.kinds.Trial.Prepared;
import dev.berth.server.validation.fields.OwnerReferenceRules;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Compares what becomes of created objects with recorded answers of a real API server.
class GoldenCreatesTest {
  private final Trial trial = new Trial();

  static Stream<Arguments> recorded() {
    return Trial.resource("creates.jsonl")
        .lines()
        .map(line -> (ObjectNode) JsonTrees.parseTrusted(line.getBytes(StandardCharsets.UTF_8)))
        .map(capture -> Arguments.of(capture.path("label").asText(), capture));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("recorded")
  void answersAreThoseOfUpstream(String label, ObjectNode capture) {
    ObjectNode body =
        capture.get("request") instanceof ObjectNode object
            ? object
            : Trial.yaml(capture.path("request").asText());
    List<String> warnings = new ArrayList<>();
    OwnerReferenceRules.reduceDuplicates(body, warnings::add);
    String namespace = capture.path("path").asText().replaceAll(".*/namespaces/([^/]+)/.*", "$1");
    if (body.path("metadata").has("generateName")) {
      body.withObjectProperty("metadata")
          .set("name", capture.path("response").path("metadata").path("name"));
    }
    Prepared prepared = trial.create(body, namespace);

    assertThat(warnings)
        .allSatisfy(text -> assertThat(capture.path("warnings").toString()).contains(text));
    if (capture.path("status").asInt() == 201) {
      assertThat(prepared.errors()).isEmpty();
      prepared.kind().strategy().canonicalize(prepared.object());
      assertThat(prepared.unknownFields()).isEmpty();
      assertThat(comparable(prepared.object()))
          .isEqualTo(comparable((ObjectNode) capture.path("response")));
    } else {
      ApiException refusal =
          ApiException.invalid(
              prepared.kind().resource(),
              body.path("metadata").path("name").asText(),
              prepared.kind().validateCreate(prepared.asked(), prepared.object()));
      assertThat(refusal.status().toJson()).isEqualTo(capture.path("response"));
    }
  }

  /// Leaves out ids and times, and what other parts of the server add: admission and allocation.
  private static JsonNode comparable(ObjectNode object) {
    String uid = object.path("metadata").path("uid").asText();
    ObjectNode copy =
        (ObjectNode)
            JsonTrees.parseTrusted(
                object.toString().replace(uid, "UID").getBytes(StandardCharsets.UTF_8));
    ((ObjectNode) copy.path("metadata"))
        .remove(List.of("creationTimestamp", "resourceVersion", "uid"));
    if (copy.path("spec") instanceof ObjectNode spec) {
      switch (copy.path("kind").asText()) {
        case "Node" -> spec.remove("taints");
        case "Service" -> {
          if (!spec.path("clusterIP").asText().equals("None")) {
            spec.remove(List.of("clusterIP", "clusterIPs"));
          }
          for (JsonNode port : spec.path("ports")) {
            ((ObjectNode) port).remove("nodePort");
          }
        }
        default -> {}
      }
    }
    return copy;
  }
}

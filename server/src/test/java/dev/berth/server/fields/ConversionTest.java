package dev.berth.server.fields;

import static dev.berth.server.fields.Captures.normal;
import static dev.berth.server.fields.Captures.object;
import static dev.berth.server.fields.UpdateTest.owners;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.schema.ObjectType;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// RuntimeClass in v1 and v1alpha1, where the same field has two names.
class ConversionTest {
  private static final String V1 = "node.k8s.io/v1";
  private static final String ALPHA = "node.k8s.io/v1alpha1";
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final FieldManager fields = new FieldManager(new RuntimeClassVersions());

  private static final class RuntimeClassVersions implements ServedVersions {
    @Override
    public @Nullable ObjectType type(String apiVersion) {
      return switch (apiVersion) {
        case V1 -> Captures.SCHEMA.type("node.v1.RuntimeClass");
        case ALPHA -> Captures.SCHEMA.type("node.v1alpha1.RuntimeClass");
        default -> null;
      };
    }

    @Override
    public ObjectNode convert(ObjectNode object, String from, String to) {
      ObjectNode result = object.deepCopy();
      if (to.equals(ALPHA)) {
        ObjectNode spec = result.putObject("spec");
        spec.set("runtimeHandler", result.remove("handler"));
        for (String name : new String[] {"overhead", "scheduling"}) {
          if (result.has(name)) {
            spec.set(name, result.remove(name));
          }
        }
      } else {
        ObjectNode spec = (ObjectNode) result.remove("spec");
        result.set("handler", spec.remove("runtimeHandler"));
        result.setAll(spec);
      }
      return normal(result.put("apiVersion", to));
    }
  }

  private static WriteContext in(String apiVersion, String manager) {
    ObjectType type =
        Captures.SCHEMA.type(
            apiVersion.equals(V1) ? "node.v1.RuntimeClass" : "node.v1alpha1.RuntimeClass");
    return new WriteContext(manager, apiVersion, "", NOW, type, FieldSet.EMPTY);
  }

  private static ObjectNode v1(String fields) {
    return object(
        "{'apiVersion':'%s','kind':'RuntimeClass','metadata':{'name':'kata'},%s}"
            .formatted(V1, fields));
  }

  private static ObjectNode alpha(String spec) {
    return object(
        "{'apiVersion':'%s','kind':'RuntimeClass','metadata':{'name':'kata'},'spec':{%s}}"
            .formatted(ALPHA, spec));
  }

  private ObjectNode applied(@Nullable ObjectNode live, ObjectNode config, String manager) {
    String version = config.path("apiVersion").asText();
    ObjectNode inVersion =
        live == null || live.path("apiVersion").asText().equals(version)
            ? live
            : new RuntimeClassVersions().convert(live, live.path("apiVersion").asText(), version);
    return fields.apply(inVersion, config, in(version, manager), false).object();
  }

  @Test
  void ownersAreKeptInTheVersionInWhichTheySpoke() {
    ObjectNode live = applied(null, alpha("'runtimeHandler':'kata'"), "old");
    live = applied(live, v1("'overhead':{'podFixed':{'cpu':'1'}}"), "new");
    assertThat(owners(live))
        .containsExactly(
            "new Apply {\"f:overhead\":{\"f:podFixed\":{\"f:cpu\":{}}}}",
            "old Apply {\"f:spec\":{\"f:runtimeHandler\":{}}}");
    assertThat(live.path("handler").asText()).isEqualTo("kata");
    ObjectNode held = live;
    assertThatThrownBy(() -> applied(held, v1("'handler':'runc'"), "new"))
        .hasMessage("Apply failed with 1 conflict: conflict with \"old\": .spec.runtimeHandler");
  }

  @Test
  void anApplierThatMovesToAnotherVersionPrunesWhatItHadInTheOldOne() {
    ObjectNode live =
        applied(null, alpha("'runtimeHandler':'kata','overhead':{'podFixed':{'cpu':'1'}}"), "me");
    live = applied(live, v1("'handler':'kata'"), "me");
    assertThat(live.has("overhead")).isFalse();
    assertThat(live.path("handler").asText()).isEqualTo("kata");
    JsonNode entries = live.path("metadata").path("managedFields");
    assertThat(entries.size()).isEqualTo(1);
    assertThat(entries.path(0).path("apiVersion").asText()).isEqualTo(V1);
    assertThat(owners(live)).containsExactly("me Apply {\"f:handler\":{}}");
  }

  @Test
  void anUpdateTakesFieldsFromOwnersOfOtherVersions() {
    ObjectNode live = applied(null, alpha("'runtimeHandler':'kata'"), "old");
    ObjectNode stored = new RuntimeClassVersions().convert(live, ALPHA, V1);
    ObjectNode next = stored.deepCopy().put("handler", "runc");
    ObjectNode updated = fields.update(stored, next, in(V1, "editor"));
    assertThat(owners(updated)).containsExactly("editor Update {\"f:handler\":{}}");
  }

  @Test
  void entriesOfVersionsThatAreNoLongerServedGoWithTheNextWrite() {
    ObjectNode live = applied(null, v1("'handler':'kata'"), "m");
    ((ObjectNode) live.path("metadata").path("managedFields").get(0))
        .put("apiVersion", "node.k8s.io/v0");
    ObjectNode next = live.deepCopy();
    ((ObjectNode) next.path("metadata")).putObject("labels").put("a", "b");
    ObjectNode updated = fields.update(live, next, in(V1, "editor"));
    assertThat(owners(updated))
        .containsExactly("editor Update {\"f:metadata\":{\"f:labels\":{\".\":{},\"f:a\":{}}}}");
  }
}

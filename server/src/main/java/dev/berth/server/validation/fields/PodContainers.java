package dev.berth.server.validation.fields;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldPath;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/// Visits the containers of a pod in the customary order.
///
/// Errors and warnings follow this order: init containers, containers, ephemeral containers.
public final class PodContainers {
  private static final List<String> LISTS =
      List.of("initContainers", "containers", "ephemeralContainers");

  private PodContainers() {}

  public static void visit(JsonNode spec, FieldPath path, BiConsumer<JsonNode, FieldPath> visitor) {
    for (String name : LISTS) {
      JsonNode list = spec.path(name);
      for (int i = 0; i < list.size(); i++) {
        visitor.accept(list.get(i), path.child(name).index(i));
      }
    }
  }

  public static boolean any(JsonNode spec, Predicate<JsonNode> test) {
    for (String name : LISTS) {
      JsonNode list = spec.path(name);
      for (int i = 0; i < list.size(); i++) {
        if (test.test(list.get(i))) {
          return true;
        }
      }
    }
    return false;
  }
}

package dev.berth.controllers.namespaces;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/// The conditions of a terminating namespace, which show users what delays its deletion; pure.
/// Types, reasons and messages are upstream's.
///
/// `kubectl describe namespace` prints them; without them a namespace that never goes has no
/// visible reason.
final class NamespaceConditions {
  private record Condition(String type, boolean status, String reason, String message) {}

  private NamespaceConditions() {}

  /// The namespace's conditions after a deletion pass; conditions of other types are kept.
  ///
  /// @param now as the API writes a time
  static ArrayNode after(JsonNode conditions, NamespaceLeftovers found, String now) {
    ArrayNode next = JsonNodeFactory.instance.arrayNode();
    List<Condition> ours = describe(found);
    for (JsonNode present : conditions) {
      if (ours.stream().noneMatch(our -> our.type().equals(present.path("type").asText()))) {
        next.add(present);
      }
    }
    for (Condition our : ours) {
      next.add(write(our, previous(conditions, our.type()), now));
    }
    return next;
  }

  /// The four conditions. Each is present with status False too, as upstream has it.
  private static List<Condition> describe(NamespaceLeftovers found) {
    return List.of(
        found.undiscovered().isEmpty()
            ? new Condition(
                "NamespaceDeletionDiscoveryFailure",
                false,
                "ResourcesDiscovered",
                "All resources successfully discovered")
            : new Condition(
                "NamespaceDeletionDiscoveryFailure",
                true,
                "DiscoveryFailed",
                "Discovery failed for some groups, %d failing: %s"
                    .formatted(
                        found.undiscovered().size(), String.join(", ", found.undiscovered()))),
        found.failures().isEmpty()
            ? new Condition(
                "NamespaceDeletionContentFailure",
                false,
                "ContentDeleted",
                "All content successfully deleted, may be waiting on finalization")
            : new Condition(
                "NamespaceDeletionContentFailure",
                true,
                "ContentDeletionFailed",
                "Failed to delete all resource types, %d remaining: %s"
                    .formatted(found.failures().size(), String.join(", ", found.failures()))),
        found.remaining().isEmpty()
            ? new Condition(
                "NamespaceContentRemaining",
                false,
                "ContentRemoved",
                "All content successfully removed")
            : new Condition(
                "NamespaceContentRemaining",
                true,
                "SomeResourcesRemain",
                "Some resources are remaining: "
                    + NamespaceLeftovers.list(found.remaining(), "%s has %d resource instances")),
        found.finalizers().isEmpty()
            ? new Condition(
                "NamespaceFinalizersRemaining",
                false,
                "ContentHasNoFinalizers",
                "All content-preserving finalizers finished")
            : new Condition(
                "NamespaceFinalizersRemaining",
                true,
                "SomeFinalizersRemain",
                "Some content in the namespace has finalizers remaining: "
                    + NamespaceLeftovers.list(found.finalizers(), "%s in %d resource instances")));
  }

  private static JsonNode previous(JsonNode conditions, String type) {
    for (JsonNode condition : conditions) {
      if (condition.path("type").asText().equals(type)) {
        return condition;
      }
    }
    return JsonNodeFactory.instance.missingNode();
  }

  /// A condition as the API has it. The transition time changes with the status, not with the
  /// message.
  private static ObjectNode write(Condition condition, JsonNode previous, String now) {
    String status = condition.status() ? "True" : "False";
    boolean same = previous.path("status").asText().equals(status);
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("type", condition.type()).put("status", status);
    node.put("lastTransitionTime", same ? previous.path("lastTransitionTime").asText() : now);
    node.put("reason", condition.reason()).put("message", condition.message());
    return node;
  }
}

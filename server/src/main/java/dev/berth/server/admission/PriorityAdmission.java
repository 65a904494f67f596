package dev.berth.server.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// Turns the name of a pod's priority class into its priority.
final class PriorityAdmission implements AdmissionPlugin {
  private static final String PREEMPT = "PreemptLowerPriority";

  @Override
  public void mutate(Attributes attributes) {
    ObjectNode spec = attributes.newPodSpec();
    if (spec == null) {
      return;
    }
    int priority = value(attributes, spec.path("priorityClassName").asText(""));
    JsonNode given = spec.path("priority");
    if (given.isNumber() && given.asInt() != priority) {
      throw attributes.forbidden(
          ("the integer value of priority (%d) must not be provided in pod spec; priority admission"
                  + " controller computed %d from the given PriorityClass name")
              .formatted(given.asInt(), priority));
    }
    String policy = spec.path("preemptionPolicy").asText("");
    if (!policy.isEmpty() && !policy.equals(PREEMPT)) {
      throw attributes.forbidden(
          ("the string value of PreemptionPolicy (%s) must not be provided in pod spec; priority"
                  + " admission controller computed %s from the given PriorityClass name")
              .formatted(policy, PREEMPT));
    }
    spec.put("priority", priority);
    spec.put("preemptionPolicy", PREEMPT);
  }

  /// The kind PriorityClass is not served; the two classes that every cluster has are known here.
  private static int value(Attributes attributes, String name) {
    return switch (name) {
      case "" -> 0;
      case "system-cluster-critical" -> 2_000_000_000;
      case "system-node-critical" -> 2_000_001_000;
      default -> throw attributes.forbidden("no PriorityClass with name " + name + " was found");
    };
  }
}

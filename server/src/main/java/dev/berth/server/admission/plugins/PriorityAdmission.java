package dev.berth.server.admission.plugins;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionPlugin;
import dev.berth.server.auth.ObjectReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Resolves a pod's priority class to its priority (upstream's `Priority`), and allows only one
/// default class.
///
/// The number is stored in the pod, so that a later change of the class does not change pods that
/// exist.
final class PriorityAdmission implements AdmissionPlugin {
  static final String CLASSES = "priorityclasses.scheduling.k8s.io";
  private static final String PREEMPT = "PreemptLowerPriority";

  private final ObjectReader objects;

  PriorityAdmission(ObjectReader objects) {
    this.objects = objects;
  }

  /// The fields that a class sets on a pod.
  private record Priority(String name, int value, String policy) {
    static final Priority NONE = new Priority("", 0, PREEMPT);

    static Priority of(ObjectNode priorityClass) {
      return new Priority(
          nameOf(priorityClass),
          priorityClass.path("value").asInt(),
          priorityClass.path("preemptionPolicy").asText(PREEMPT));
    }
  }

  @Override
  public void mutate(AdmissionAttributes attributes) {
    ObjectNode spec = attributes.newPodSpec();
    if (spec == null) {
      keepPriority(attributes);
      return;
    }
    Priority priority = priority(attributes, spec.path("priorityClassName").asText(""));
    JsonNode given = spec.path("priority");
    if (given.isNumber() && given.asInt() != priority.value()) {
      throw attributes.forbidden(
          ("the integer value of priority (%d) must not be provided in pod spec; priority admission"
                  + " controller computed %d from the given PriorityClass name")
              .formatted(given.asInt(), priority.value()));
    }
    String policy = spec.path("preemptionPolicy").asText("");
    if (!policy.isEmpty() && !policy.equals(priority.policy())) {
      throw attributes.forbidden(
          ("the string value of PreemptionPolicy (%s) must not be provided in pod spec; priority"
                  + " admission controller computed %s from the given PriorityClass name")
              .formatted(policy, priority.policy()));
    }
    if (!priority.name().isEmpty()) {
      spec.put("priorityClassName", priority.name());
    }
    spec.put("priority", priority.value());
    spec.put("preemptionPolicy", priority.policy());
  }

  /// An update with the original manifest lacks the computed priority, which is kept.
  private static void keepPriority(AdmissionAttributes attributes) {
    ObjectNode pod = attributes.whole("", "pods");
    ObjectNode old = attributes.old();
    if (pod != null && old != null && pod.path("spec") instanceof ObjectNode spec) {
      for (String field : List.of("priority", "preemptionPolicy")) {
        JsonNode before = old.path("spec").get(field);
        if (before != null && !spec.hasNonNull(field)) {
          spec.set(field, before);
        }
      }
    }
  }

  /// A default class applies at creation only; a later default does not change pods that exist.
  private Priority priority(AdmissionAttributes attributes, String name) {
    if (name.isEmpty()) {
      ObjectNode common = commonClass();
      return common == null ? Priority.NONE : Priority.of(common);
    }
    ObjectNode priorityClass = objects.read(CLASSES, "", name);
    if (priorityClass == null) {
      throw attributes.forbidden("no PriorityClass with name " + name + " was found");
    }
    return Priority.of(priorityClass);
  }

  /// The default class. Two may be created concurrently; then the one with the lower value is used.
  private @Nullable ObjectNode commonClass() {
    ObjectNode lowest = null;
    for (ObjectNode candidate : objects.all(CLASSES)) {
      if (candidate.path("globalDefault").asBoolean()
          && (lowest == null || candidate.path("value").asInt() < lowest.path("value").asInt())) {
        lowest = candidate;
      }
    }
    return lowest;
  }

  @Override
  public void validate(AdmissionAttributes attributes) {
    ObjectNode object = attributes.object();
    if (object == null
        || !attributes.kind().bucket().equals(CLASSES)
        || !object.path("globalDefault").asBoolean()) {
      return;
    }
    ObjectNode common = commonClass();
    if (common != null && !nameOf(common).equals(nameOf(object))) {
      throw attributes.forbidden(
          "PriorityClass %s is already marked as default. Only one default can exist"
              .formatted(nameOf(common)));
    }
  }

  private static String nameOf(ObjectNode object) {
    return object.path("metadata").path("name").asText();
  }
}

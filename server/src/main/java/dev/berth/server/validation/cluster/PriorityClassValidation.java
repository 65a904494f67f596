package dev.berth.server.validation.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.fields.CommonChecks;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The rules of PriorityClass.
///
/// The value is immutable, because pods keep the number that they got and the name would no longer
/// say it.
public final class PriorityClassValidation implements KindValidator {
  /// The classes that every cluster has; no other class may have a name like theirs.
  public static final Map<String, Integer> SYSTEM =
      Map.of("system-cluster-critical", 2_000_000_000, "system-node-critical", 2_000_001_000);

  private static final String PREFIX = "system-";

  /// Higher values are reserved for the classes of {@link #SYSTEM}.
  private static final int HIGHEST = 1_000_000_000;

  private static final FieldPath VALUE = FieldPath.of("value");
  private static final FieldPath POLICY = FieldPath.of("preemptionPolicy");

  @Override
  public void onCreate(ObjectNode priorityClass, FieldErrors errors) {
    String name = priorityClass.path("metadata").path("name").asText();
    if (name.startsWith(PREFIX)) {
      systemProblem(name, priorityClass)
          .ifPresent(
              problem ->
                  errors.forbidden(
                      FieldPath.of("metadata").child("name"),
                      "priority class names with 'system-' prefix are reserved for system use"
                          + " only. error: "
                          + problem));
    } else if (priorityClass.path("value").asInt() > HIGHEST) {
      errors.forbidden(VALUE, "maximum allowed value of a user defined priority is " + HIGHEST);
    }
    // KEP-902. Immutable as well, because pods have copied it.
    JsonNode policy = priorityClass.path("preemptionPolicy");
    if (policy.isTextual()) {
      CommonChecks.oneOf(policy.asText(), List.of("PreemptLowerPriority", "Never"), POLICY, errors);
    }
  }

  private static Optional<String> systemProblem(String name, ObjectNode priorityClass) {
    Integer value = SYSTEM.get(name);
    if (value == null) {
      return Optional.of(name + " is not a known system priority class");
    }
    if (priorityClass.path("value").asInt() != value) {
      return Optional.of("value of %s PriorityClass must be %d".formatted(name, value));
    }
    return priorityClass.path("globalDefault").asBoolean()
        ? Optional.of("globalDefault of %s PriorityClass must be false".formatted(name))
        : Optional.empty();
  }

  @Override
  public void onUpdate(ObjectNode priorityClass, ObjectNode old, FieldErrors errors) {
    if (priorityClass.path("value").asInt() != old.path("value").asInt()) {
      errors.forbidden(VALUE, "may not be changed in an update.");
    }
    CommonChecks.immutable(
        priorityClass.path("preemptionPolicy"), old.path("preemptionPolicy"), POLICY, errors);
  }
}

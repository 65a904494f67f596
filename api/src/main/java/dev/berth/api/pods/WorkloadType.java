package dev.berth.api.pods;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// What a runtime service runs: the list that a new workload type joins.
///
/// A pod runs containers unless its specification has the field of another type. The object in that
/// field counts as a container wherever resources, limits and quotas are counted.
public enum WorkloadType {
  CONTAINER("", "container", Set.of()),

  /// A virtual machine is started and stopped by its power specification.
  VM("virtualMachine", "virtual machine", Set.of("powerSpec"));

  /// What a pod runs, and what a runtime service is for, where nothing names another type.
  public static final WorkloadType DEFAULT = CONTAINER;

  /// `container, vm`, for messages.
  public static final String KNOWN =
      Arrays.stream(values()).map(WorkloadType::toString).collect(Collectors.joining(", "));

  /// The types that a field of its own stands for.
  private static final List<WorkloadType> WITH_FIELD =
      Arrays.stream(values()).filter(type -> !type.field.isEmpty()).toList();

  private final String field;
  private final String description;

  // Every constant gives a Set.of, which nobody can change.
  @SuppressWarnings("ImmutableEnumChecker")
  private final Set<String> mutableFields;

  WorkloadType(String field, String description, Set<String> mutableFields) {
    this.field = field;
    this.description = description;
    this.mutableFields = mutableFields;
  }

  /// The type with a name; empty for a text that names no workload type.
  public static Optional<WorkloadType> of(String text) {
    return Arrays.stream(values()).filter(type -> type.toString().equals(text)).findFirst();
  }

  /// The type of a runtime service in a node's report, where a missing text stands for containers;
  /// empty for a type that only a newer agent knows.
  public static Optional<WorkloadType> ofReport(String text) {
    return of(textOfReport(text));
  }

  /// The type in a node's report as text, which may name a type that only a newer agent knows.
  public static String textOfReport(String text) {
    return text.isEmpty() ? DEFAULT.toString() : text;
  }

  /// The type of a pod, from the JSON tree of its `spec`.
  public static WorkloadType ofSpec(JsonNode spec) {
    return WITH_FIELD.stream()
        .filter(type -> spec.path(type.field).isObject())
        .findFirst()
        .orElse(DEFAULT);
  }

  /// The type of a pod in fabric8's model, which keeps fields beyond Kubernetes as maps.
  public static WorkloadType ofPod(Pod pod) {
    Map<String, Object> fields = pod.getSpec().getAdditionalProperties();
    return WITH_FIELD.stream()
        .filter(type -> fields.get(type.field) instanceof Map<?, ?>)
        .findFirst()
        .orElse(DEFAULT);
  }

  /// The types whose pods have a field of their own: all but containers.
  public static List<WorkloadType> withField() {
    return WITH_FIELD;
  }

  /// Whether such a pod has only fields of Kubernetes: every node runs it, also one without Berth's
  /// report, and the defaults for RuntimeClasses apply to it.
  public boolean isPlainPod() {
    return field.isEmpty();
  }

  /// The field of a pod's `spec` that makes it a pod of this type; empty for containers, which have
  /// lists.
  public String field() {
    return field;
  }

  /// The name of the type in messages, such as `virtual machine`.
  public String description() {
    return description;
  }

  /// The fields below `field` that may change while the pod lives.
  public Set<String> mutableFields() {
    return mutableFields;
  }

  /// The name of the type, as flags and files spell it.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}

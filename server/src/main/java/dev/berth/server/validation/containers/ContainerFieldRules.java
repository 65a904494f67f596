package dev.berth.server.validation.containers;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.fields.NameRules;
import dev.berth.server.validation.fields.PodFields;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The rules of references to fields of the pod and to resources of its containers, which variables
/// and files use.
///
/// `spec.host` is the old name of `spec.nodeName` and is still accepted, as upstream converts it.
///
/// Upstream's `validateObjectFieldSelector` and `validateContainerResourceFieldSelector`. Both
/// first convert the name to the internal version, hence the two stages of errors.
public final class ContainerFieldRules {
  // Fewer than can be named: the phase, for example, would be fixed at the start of the container.
  static final List<String> IN_VARIABLES =
      List.of(
          "metadata.name",
          "metadata.namespace",
          "metadata.uid",
          "spec.nodeName",
          "spec.serviceAccountName",
          "status.hostIP",
          "status.hostIPs",
          "status.podIP",
          "status.podIPs");
  // Files are written again when these change, unlike variables.
  public static final List<String> IN_FILES =
      List.of(
          "metadata.annotations",
          "metadata.labels",
          "metadata.name",
          "metadata.namespace",
          "metadata.uid");

  /// Fields that can be named at all.
  private static final Set<String> KNOWN =
      Set.of(
          "metadata.annotations",
          "metadata.labels",
          "metadata.name",
          "metadata.namespace",
          "metadata.uid",
          "spec.host",
          "spec.nodeName",
          "spec.restartPolicy",
          "spec.serviceAccountName",
          "spec.schedulerName",
          "status.phase",
          "status.hostIP",
          "status.hostIPs",
          "status.podIP",
          "status.podIPs");

  private static final List<String> RESOURCES =
      List.of(
          "limits.cpu",
          "limits.ephemeral-storage",
          "limits.memory",
          "requests.cpu",
          "requests.ephemeral-storage",
          "requests.memory");
  private static final Set<String> CPU_DIVISORS = Set.of("1m", "1");
  private static final List<String> BYTE_DIVISORS =
      List.of("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei");

  private ContainerFieldRules() {}

  /// A `fieldRef`.
  ///
  /// @param allowed the fields that make sense here, sorted
  public static void field(
      JsonNode reference, List<String> allowed, FieldPath path, FieldErrors errors) {
    String version = PodFields.text(reference, "apiVersion");
    String field = PodFields.text(reference, "fieldPath");
    if (version.isEmpty()) {
      errors.required(path.child("apiVersion"), "");
      return;
    }
    if (field.isEmpty()) {
      errors.required(path.child("fieldPath"), "");
      return;
    }
    // `metadata.labels['x']`: one entry of a map, allowed for variables and files alike.
    int subscript = field.indexOf("['");
    boolean subscripted = subscript > 0 && field.endsWith("']") && field.length() > subscript + 3;
    String base = subscripted ? field.substring(0, subscript) : field;
    String problem = conversionProblem(version, field, base, subscripted);
    if (!problem.isEmpty()) {
      errors.invalid(path.child("fieldPath"), field, "error converting fieldPath: " + problem);
    } else if (subscripted) {
      String key = field.substring(subscript + 2, field.length() - 2);
      // Annotations are looked up in any case, labels are not.
      String name = base.equals("metadata.annotations") ? key.toLowerCase(Locale.ROOT) : key;
      errors.invalid(path, name, NameRules.qualifiedName(name));
    } else if (!allowed.contains(internalName(base))) {
      errors.notSupportedInOrder(path.child("fieldPath"), internalName(base), allowed);
    }
  }

  private static String internalName(String field) {
    return field.equals("spec.host") ? "spec.nodeName" : field;
  }

  private static String conversionProblem(
      String version, String field, String base, boolean subscripted) {
    if (!version.equals("v1")) {
      return "unsupported pod version: " + version;
    }
    if (subscripted) {
      boolean map = base.equals("metadata.annotations") || base.equals("metadata.labels");
      return map ? "" : "field label does not support subscript: " + field;
    }
    return KNOWN.contains(field) ? "" : "field label not supported: " + field;
  }

  /// A `resourceFieldRef`; a file must say of which container.
  public static void resource(
      JsonNode reference, boolean inFile, FieldPath path, FieldErrors errors) {
    String resource = PodFields.text(reference, "resource");
    boolean hugePages =
        resource.startsWith("requests.hugepages-") || resource.startsWith("limits.hugepages-");
    if (inFile && PodFields.text(reference, "containerName").isEmpty()) {
      errors.required(path.child("containerName"), "");
    } else if (resource.isEmpty()) {
      errors.required(path.child("resource"), "");
    } else if (!RESOURCES.contains(resource) && !hugePages) {
      errors.notSupportedInOrder(path.child("resource"), resource, RESOURCES);
    }
    String divisor = PodFields.text(reference, "divisor");
    if (!divisor.isEmpty() && !divisor.equals("0")) {
      divisor(resource, divisor, hugePages, path, errors);
    }
  }

  /// Only divisors are allowed that give a result in whole units of the resource.
  private static void divisor(
      String resource, String divisor, boolean hugePages, FieldPath path, FieldErrors errors) {
    String bytes = hugePages ? "hugepages" : byteResource(resource);
    if (resource.endsWith(".cpu")) {
      if (!CPU_DIVISORS.contains(divisor)) {
        errors.invalid(
            path.child("divisor"),
            resource,
            "only divisor's values 1m and 1 are supported with the cpu resource");
      }
    } else if (!bytes.isEmpty() && !BYTE_DIVISORS.contains(divisor)) {
      errors.invalid(
          path.child("divisor"),
          resource,
          "only divisor's values %s are supported with the %s resource"
              .formatted(String.join(", ", BYTE_DIVISORS), bytes));
    }
  }

  private static String byteResource(String resource) {
    return switch (resource) {
      case "limits.memory", "requests.memory" -> "memory";
      case "limits.ephemeral-storage", "requests.ephemeral-storage" -> "local ephemeral storage";
      default -> "";
    };
  }
}

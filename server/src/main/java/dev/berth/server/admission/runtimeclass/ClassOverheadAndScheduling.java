package dev.berth.server.admission.runtimeclass;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Quantity;
import dev.berth.api.pods.PodRuntime;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionPlugin;
import dev.berth.server.auth.ObjectReader;
import dev.berth.server.errors.ApiException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Applies a RuntimeClass to its pods: overhead, node selector, tolerations (KEP-585).
///
/// The class is read from the store and not from a cache: a class that was created just before the
/// pod must count. A pod keeps what it got; later changes of the class concern new pods only.
public final class ClassOverheadAndScheduling implements AdmissionPlugin {
  static final String BUCKET = "runtimeclasses.node.k8s.io";

  private final ObjectReader objects;
  private final UsableClasses known;

  public ClassOverheadAndScheduling(ObjectReader objects, RuntimeCatalog catalog) {
    this.objects = objects;
    this.known = new UsableClasses(objects, catalog);
  }

  @Override
  public void mutate(AdmissionAttributes attributes) {
    ObjectNode spec = attributes.newPodSpec();
    if (spec == null) {
      return;
    }
    // KEP-585: an empty name means the default runtime, the same as no name.
    if (PodRuntime.className(spec).isEmpty()) {
      spec.remove(PodRuntime.CLASS_FIELD);
    }
    ObjectNode runtimeClass = runtimeClass(attributes, spec);
    if (runtimeClass != null) {
      setOverhead(attributes, spec, runtimeClass.at("/overhead"));
      setScheduling(attributes, spec, runtimeClass.path("scheduling"));
    }
  }

  @Override
  public void validate(AdmissionAttributes attributes) {
    ObjectNode spec = attributes.newPodSpec();
    if (spec == null) {
      return;
    }
    ObjectNode runtimeClass = runtimeClass(attributes, spec);
    JsonNode overhead = spec.path("overhead");
    if (runtimeClass != null && runtimeClass.path("overhead").isObject()) {
      if (!sameAmounts(overhead, runtimeClass.at("/overhead/podFixed"))) {
        throw mismatch(attributes);
      }
    } else if (overhead.isObject()) {
      throw attributes.forbidden(
          "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
    }
  }

  /// Null for a pod without a class.
  private @Nullable ObjectNode runtimeClass(AdmissionAttributes attributes, ObjectNode spec) {
    String name = PodRuntime.className(spec);
    if (name.isEmpty()) {
      return null;
    }
    ObjectNode found = objects.read(BUCKET, "", name);
    if (found == null) {
      throw attributes.forbidden(
          "pod rejected: RuntimeClass \"%s\" not found%s"
              .formatted(name, known.advice(attributes.namespace())));
    }
    return found;
  }

  private static void setOverhead(
      AdmissionAttributes attributes, ObjectNode spec, JsonNode overhead) {
    if (!overhead.isObject()) {
      return;
    }
    JsonNode fixed = overhead.path("podFixed");
    if (!spec.path("overhead").isEmpty() && !sameAmounts(spec.path("overhead"), fixed)) {
      throw mismatch(attributes);
    }
    if (fixed.isObject()) {
      spec.set("overhead", fixed.deepCopy());
    }
  }

  private static ApiException mismatch(AdmissionAttributes attributes) {
    return attributes.forbidden(
        "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  }

  /// A conflict is an error, because the pod could never be scheduled otherwise.
  private static void setScheduling(
      AdmissionAttributes attributes, ObjectNode spec, JsonNode scheduling) {
    if (!scheduling.isObject()) {
      return;
    }
    for (Map.Entry<String, JsonNode> label : scheduling.path("nodeSelector").properties()) {
      ObjectNode selector =
          spec.path("nodeSelector") instanceof ObjectNode present
              ? present
              : spec.putObject("nodeSelector");
      String wanted = label.getValue().asText();
      JsonNode own = selector.path(label.getKey());
      if (own.isTextual() && !own.textValue().equals(wanted)) {
        throw attributes.forbidden(
            "conflict: runtimeClass.scheduling.nodeSelector[%s] = %s; pod.spec.nodeSelector[%s] = %s"
                .formatted(label.getKey(), wanted, label.getKey(), own.textValue()));
      }
      selector.put(label.getKey(), wanted);
    }
    ArrayNode merged =
        TolerationMerge.merge(spec.path("tolerations"), scheduling.path("tolerations"));
    if (!merged.isEmpty()) {
      spec.set("tolerations", merged);
    }
  }

  /// Compares quantities by amount: `100m` equals `0.1`.
  private static boolean sameAmounts(JsonNode one, JsonNode other) {
    if (one.size() != other.size()) {
      return false;
    }
    for (Map.Entry<String, JsonNode> amount : one.properties()) {
      if (!other.has(amount.getKey())
          || !quantity(amount.getValue()).equals(quantity(other.path(amount.getKey())))) {
        return false;
      }
    }
    return true;
  }

  private static Optional<Quantity> quantity(JsonNode text) {
    return Quantity.parse(text.asText());
  }
}

package dev.berth.server.admission.runtimeclass;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.PodRuntime;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionPlugin;
import java.util.Map;
import java.util.Optional;

/// Converts runtime annotations from before RuntimeClass (the table of KEP-585) to the class that
/// the administrator mapped them to.
///
/// Nothing happens silently: a pod whose annotation is converted, ignored or without effect gets a
/// warning. The class that the pod names always wins.
public final class ClassFromLegacyAnnotation implements AdmissionPlugin {
  private static final Map<String, String> KNOWN =
      Map.of(
          "io.kubernetes.cri-o.TrustedSandbox", "false",
          "io.kubernetes.cri.untrusted-workload", "true",
          "runtime.frakti.alpha.kubernetes.io/OSContainer", "true",
          "runtime.frakti.alpha.kubernetes.io/Unikernel", "true",
          "experimental.windows.kubernetes.io/isolation-type", "hyperv");

  private final RuntimeCatalog catalog;

  public ClassFromLegacyAnnotation(RuntimeCatalog catalog) {
    this.catalog = catalog;
  }

  @Override
  public void mutate(AdmissionAttributes attributes) {
    ObjectNode spec = attributes.newPodSpec();
    ObjectNode pod = attributes.object();
    if (spec == null || pod == null) {
      return;
    }
    for (Map.Entry<String, JsonNode> annotation :
        pod.path("metadata").path("annotations").properties()) {
      String value = annotation.getValue().asText();
      Optional<String> mapped = classOf(annotation.getKey(), value);
      boolean known = value.equals(KNOWN.get(annotation.getKey()));
      if (mapped.isPresent() || known) {
        apply(attributes, spec, annotation.getKey() + ": \"" + value + "\"", mapped);
      }
    }
  }

  private static void apply(
      AdmissionAttributes attributes, ObjectNode spec, String annotation, Optional<String> mapped) {
    String named = PodRuntime.className(spec);
    if (!named.isEmpty()) {
      if (mapped.isEmpty() || !mapped.get().equals(named)) {
        attributes
            .warnings()
            .accept(
                "metadata.annotations: %s is ignored, spec.runtimeClassName \"%s\" decides"
                    .formatted(annotation, named));
      }
      return;
    }
    if (mapped.isEmpty()) {
      attributes
          .warnings()
          .accept(
              "metadata.annotations: %s has no effect: no RuntimeClass is mapped to it (%s); set spec.runtimeClassName"
                  .formatted(annotation, RuntimeClassPolicy.LEGACY));
      return;
    }
    spec.put(PodRuntime.CLASS_FIELD, mapped.get());
    attributes
        .warnings()
        .accept(
            "metadata.annotations: %s is deprecated, the pod gets RuntimeClass \"%s\"; set spec.runtimeClassName"
                .formatted(annotation, mapped.get()));
  }

  private Optional<String> classOf(String key, String value) {
    return catalog.classes().stream()
        .filter(policy -> value.equals(policy.legacy().get(key)))
        .map(RuntimeClassPolicy::name)
        .findFirst();
  }
}

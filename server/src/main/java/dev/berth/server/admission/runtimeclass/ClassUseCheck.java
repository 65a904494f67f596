package dev.berth.server.admission.runtimeclass;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.PodRuntime;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionPlugin;
import dev.berth.server.admission.NamespaceLabels;
import dev.berth.server.auth.ObjectReader;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Rejects pods whose class is reserved for other namespaces, or whose demands the class's runtime
/// cannot meet.
///
/// The check runs in the validating phase, so it holds for a class of any origin: named by the pod,
/// chosen by properties or default.
public final class ClassUseCheck implements AdmissionPlugin {
  /// Features that nodes report for each handler.
  private static final List<String> REPORTED = List.of("userNamespaces", "recursiveReadOnlyMounts");

  private final ObjectReader objects;
  private final RuntimeCatalog catalog;

  public ClassUseCheck(ObjectReader objects, RuntimeCatalog catalog) {
    this.objects = objects;
    this.catalog = catalog;
  }

  @Override
  public void validate(AdmissionAttributes attributes) {
    ObjectNode spec = attributes.newPodSpec();
    ObjectNode runtimeClass =
        spec == null
            ? null
            : objects.read(ClassOverheadAndScheduling.BUCKET, "", PodRuntime.className(spec));
    if (spec == null || runtimeClass == null) {
      return;
    }
    RuntimeClassPolicy policy = RuntimeClassPolicy.of(runtimeClass);
    checkNamespace(attributes, policy);
    checkDemands(attributes, policy, PodRuntimeDemands.of(spec));
  }

  private void checkNamespace(AdmissionAttributes attributes, RuntimeClassPolicy policy) {
    String namespace = attributes.namespace();
    if (!policy.allows(namespace, NamespaceLabels.of(objects.read("namespaces", "", namespace)))) {
      throw attributes.forbidden(
          "pod rejected: RuntimeClass \"%s\" may not be used in namespace \"%s\"; allowed: %s"
              .formatted(policy.name(), namespace, policy.allowedText()));
    }
  }

  private void checkDemands(
      AdmissionAttributes attributes, RuntimeClassPolicy policy, Map<String, String> demands) {
    Map<String, String> unmet = new TreeMap<>(demands);
    unmet.keySet().removeIf(demand -> !isUnsupported(policy, demand));
    if (!unmet.isEmpty()) {
      throw attributes.forbidden(
          "pod rejected: RuntimeClass \"%s\" (handler %s) does not support %s; remove that or use another class"
              .formatted(
                  policy.name(),
                  policy.handler(),
                  String.join(
                      ", ",
                      unmet.entrySet().stream()
                          .map(demand -> demand.getKey() + " (" + demand.getValue() + ")")
                          .toList())));
    }
  }

  /// What nodes report only counts when some node has the handler: without nodes nothing is known.
  /// A property that the administrator declares overrides the report of the nodes.
  private boolean isUnsupported(RuntimeClassPolicy policy, String demand) {
    return policy.unsupported().contains(demand)
        || (REPORTED.contains(demand)
            && catalog.nodesOffering(policy.handler()) > 0
            && !policy.provides().containsKey(demand)
            && !catalog.features(policy.handler()).contains(demand));
  }
}

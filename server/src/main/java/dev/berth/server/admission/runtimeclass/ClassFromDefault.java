package dev.berth.server.admission.runtimeclass;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.PodRuntime;
import dev.berth.api.pods.PodSource;
import dev.berth.api.pods.WorkloadType;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionPlugin;
import dev.berth.server.admission.NamespaceLabels;
import dev.berth.server.auth.ObjectReader;
import org.jspecify.annotations.Nullable;

/// Sets the default RuntimeClass of the namespace, or else of the cluster, on pods without a class.
///
/// A class that the pod names, asks for by properties or has by a legacy annotation wins, because
/// those plugins come before.
public final class ClassFromDefault implements AdmissionPlugin {
  /// Annotation of a namespace: the default class of its pods.
  static final String OF_NAMESPACE = "runtimeclass.berth.dev/default";

  private final ObjectReader objects;
  private final RuntimeCatalog catalog;

  public ClassFromDefault(ObjectReader objects, RuntimeCatalog catalog) {
    this.objects = objects;
    this.catalog = catalog;
  }

  @Override
  public void mutate(AdmissionAttributes attributes) {
    ObjectNode spec = attributes.newPodSpec();
    if (spec == null || !PodRuntime.className(spec).isEmpty() || isForeign(attributes, spec)) {
      return;
    }
    ObjectNode namespace = objects.read("namespaces", "", attributes.namespace());
    String own =
        namespace == null
            ? ""
            : namespace.path("metadata").path("annotations").path(OF_NAMESPACE).asText("");
    if (own.isEmpty()) {
      ofCluster(attributes, namespace, spec);
      return;
    }
    if (objects.read(ClassOverheadAndScheduling.BUCKET, "", own) == null) {
      throw attributes.forbidden(
          "pod rejected: RuntimeClass \"%s\" not found; it is the default of namespace \"%s\" (annotation %s)%s"
              .formatted(
                  own,
                  attributes.namespace(),
                  OF_NAMESPACE,
                  new UsableClasses(objects, catalog).advice(attributes.namespace())));
    }
    spec.put(PodRuntime.CLASS_FIELD, own);
  }

  private void ofCluster(
      AdmissionAttributes attributes, @Nullable ObjectNode namespace, ObjectNode spec) {
    catalog.classes().stream()
        .filter(RuntimeClassPolicy::isDefault)
        // A class that this namespace may not use is not its default.
        .filter(policy -> policy.allows(attributes.namespace(), NamespaceLabels.of(namespace)))
        .findFirst()
        .ifPresent(policy -> spec.put(PodRuntime.CLASS_FIELD, policy.name()));
  }

  /// A mirror pod already runs with the class that its node chose; virtual machines and other
  /// workload types use runtime services of their own.
  private static boolean isForeign(AdmissionAttributes attributes, ObjectNode spec) {
    ObjectNode pod = attributes.object();
    return !WorkloadType.ofSpec(spec).isPlainPod() || (pod != null && PodSource.isMirror(pod));
  }
}

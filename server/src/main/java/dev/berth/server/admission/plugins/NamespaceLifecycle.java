package dev.berth.server.admission.plugins;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.admission.AdmissionPlugin;
import dev.berth.server.auth.ObjectReader;
import dev.berth.server.errors.ApiException;
import dev.berth.server.errors.ApiStatus;
import java.util.List;
import java.util.Set;

/// Rejects objects in missing namespaces and new objects in terminating ones.
///
/// The plugin is the first of the chain, so all others may rely on the namespace. Its check
/// precedes the write and is no lock: an object may still come into a namespace whose deletion
/// starts at the same moment, which the namespace controller removes before it lets the namespace
/// go.
final class NamespaceLifecycle implements AdmissionPlugin {
  private static final ApiException.Resource NAMESPACES =
      new ApiException.Resource("", "namespaces", "Namespace");
  private static final Set<String> UNDELETABLE = Set.of("default", "kube-system", "kube-public");

  private final ObjectReader objects;

  NamespaceLifecycle(ObjectReader objects) {
    this.objects = objects;
  }

  @Override
  public void validate(AdmissionAttributes attributes) {
    if (attributes.operation() == Operation.DELETE
        && attributes.isOn("", "namespaces")
        && UNDELETABLE.contains(attributes.name())) {
      throw attributes.forbidden("this namespace may not be deleted");
    }
  }

  /// Updates of objects in a terminating namespace must pass: finalizers are removed by updates.
  @Override
  public void mutate(AdmissionAttributes attributes) {
    String namespace = attributes.namespace();
    if (namespace.isEmpty()
        || attributes.operation() == Operation.DELETE
        || attributes.isOn("", "namespaces")) {
      return;
    }
    ObjectNode found = objects.read("namespaces", "", namespace);
    if (found == null) {
      throw ApiException.notFound(NAMESPACES, namespace);
    }
    if (attributes.operation() == Operation.CREATE
        && found.at("/status/phase").asText("").equals("Terminating")) {
      throw terminating(attributes, namespace);
    }
  }

  private static ApiException terminating(AdmissionAttributes attributes, String namespace) {
    ApiStatus status =
        attributes
            .forbidden(
                "unable to create new content in namespace "
                    + namespace
                    + " because it is being terminated")
            .status();
    ApiStatus.Cause cause =
        new ApiStatus.Cause(
            "NamespaceTerminating",
            "namespace " + namespace + " is being terminated",
            "metadata.namespace");
    return new ApiException(
        new ApiStatus(
            status.code(),
            status.reason(),
            status.message(),
            status.details().withCauses(List.of(cause))));
  }
}

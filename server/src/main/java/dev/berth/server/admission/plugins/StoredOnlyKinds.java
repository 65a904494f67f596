package dev.berth.server.admission.plugins;

import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.admission.AdmissionPlugin;
import java.util.Map;

/// Warns when an object of a kind is created that Berth stores without acting on it.
///
/// @param isAlone whether the cluster has only Berth's controllers; other controllers may act on
///   such kinds
record StoredOnlyKinds(boolean isAlone) implements AdmissionPlugin {
  private static final Map<String, String> WARNINGS =
      Map.of(
          "jobs.batch",
          "Jobs are stored and nothing runs them yet: no pod is made; create a Pod with"
              + " restartPolicy: Never, or a Deployment",
          "statefulsets.apps",
          "StatefulSets are stored and nothing runs them yet: no pod is made; create a Deployment, or"
              + " Pods",
          "services",
          "Services are stored and nothing serves them yet: neither the cluster IP nor the name"
              + " leads to a pod; use the pods' addresses, or `kubectl port-forward pod/NAME`");

  @Override
  public void validate(AdmissionAttributes attributes) {
    String warning = WARNINGS.get(attributes.kind().bucket());
    if (isAlone
        && warning != null
        && attributes.operation() == Operation.CREATE
        && attributes.subresource().isEmpty()) {
      attributes.warnings().accept(warning);
    }
  }
}

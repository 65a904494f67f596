package dev.berth.server.admission.runtimeclass;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionPlugin;
import dev.berth.server.errors.ApiException;
import dev.berth.server.validation.FieldErrors;

/// Validates Berth's annotations of a RuntimeClass, and that at most one class is the default.
public final class ClassAnnotationCheck implements AdmissionPlugin {
  private final RuntimeCatalog catalog;

  public ClassAnnotationCheck(RuntimeCatalog catalog) {
    this.catalog = catalog;
  }

  @Override
  public void validate(AdmissionAttributes attributes) {
    ObjectNode runtimeClass = attributes.whole("node.k8s.io", "runtimeclasses");
    if (runtimeClass == null) {
      return;
    }
    FieldErrors errors = new FieldErrors();
    RuntimeClassPolicy.check(runtimeClass, errors);
    if (!errors.isEmpty()) {
      throw ApiException.invalid(
          attributes.kind().resource(), attributes.displayName(), errors.toList());
    }
    RuntimeClassPolicy policy = RuntimeClassPolicy.of(runtimeClass);
    if (policy.isDefault()) {
      refuseSecondDefault(attributes, policy.name());
    }
  }

  private void refuseSecondDefault(AdmissionAttributes attributes, String name) {
    for (RuntimeClassPolicy policy : catalog.classes()) {
      if (policy.isDefault() && !policy.name().equals(name)) {
        throw attributes.forbidden(
            "RuntimeClass \"%s\" is the cluster's default already; remove its annotation %s first"
                .formatted(policy.name(), RuntimeClassPolicy.IS_DEFAULT));
      }
    }
  }
}

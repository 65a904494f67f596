package dev.berth.server.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.validation.FieldErrors;

/// What a RuntimeClass may say in Berth's annotations, and that there is one default at most.
final class RuntimeClassRules implements AdmissionPlugin {
  private final RuntimeCatalog catalog;

  RuntimeClassRules(RuntimeCatalog catalog) {
    this.catalog = catalog;
  }

  @Override
  public void validate(Attributes attributes) {
    ObjectNode runtimeClass = attributes.whole("node.k8s.io", "runtimeclasses");
    if (runtimeClass == null) {
      return;
    }
    FieldErrors errors = new FieldErrors();
    ClassPolicy.check(runtimeClass, errors);
    if (!errors.isEmpty()) {
      throw ApiException.invalid(
          attributes.kind().resource(), attributes.displayName(), errors.toList());
    }
    ClassPolicy policy = ClassPolicy.of(runtimeClass);
    if (policy.isDefault()) {
      refuseSecondDefault(attributes, policy.name());
    }
  }

  private void refuseSecondDefault(Attributes attributes, String name) {
    for (ClassPolicy policy : catalog.classes()) {
      if (policy.isDefault() && !policy.name().equals(name)) {
        throw attributes.forbidden(
            "RuntimeClass \"%s\" is the cluster's default already; remove its annotation %s first"
                .formatted(policy.name(), ClassPolicy.IS_DEFAULT));
      }
    }
  }
}

package dev.berth.server.admission.plugins;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.admission.AdmissionPlugin;
import dev.berth.server.auth.authorization.EscalationCheck;

/// Applies {@link EscalationCheck} to writes of roles and bindings.
///
/// The check comes after validation, which guarantees the form of the object that it reads.
final class RbacEscalation implements AdmissionPlugin {
  private final EscalationCheck check;

  RbacEscalation(EscalationCheck check) {
    this.check = check;
  }

  @Override
  public void validate(AdmissionAttributes attributes) {
    ObjectNode object = attributes.object();
    if (object != null
        && attributes.kind().names().group().equals("rbac.authorization.k8s.io")
        && (attributes.operation() == Operation.CREATE
            || attributes.operation() == Operation.UPDATE)) {
      check.check(attributes.user(), object, attributes.old());
    }
  }
}

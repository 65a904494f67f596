package dev.berth.server.validation.workloads;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.fields.CommonChecks;

/// The rules of ControllerRevision: what a controller may return to stays as it was.
///
/// Upstream's `ValidateControllerRevision`. The data are any JSON: only the controller that wrote
/// them reads them.
public final class ControllerRevisionValidation implements KindValidator {
  private static final FieldPath DATA = FieldPath.of("data");

  @Override
  public void onCreate(ObjectNode revision, FieldErrors errors) {
    if (!revision.hasNonNull("data")) {
      errors.required(DATA, "data is mandatory");
    }
    CommonChecks.nonNegative(revision.path("revision"), FieldPath.of("revision"), errors);
  }

  @Override
  public void onUpdate(ObjectNode revision, ObjectNode old, FieldErrors errors) {
    CommonChecks.nonNegative(revision.path("revision"), FieldPath.of("revision"), errors);
    CommonChecks.immutable(revision.path("data"), old.path("data"), DATA, errors);
  }
}

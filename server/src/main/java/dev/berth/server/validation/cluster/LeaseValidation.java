package dev.berth.server.validation.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.fields.CommonChecks;

/// The rules of Lease.
///
/// Upstream's `ValidateLease`. The holder and the times are free text and free times: clients
/// decide by their own clocks whether a lease has expired.
public final class LeaseValidation implements KindValidator {
  @Override
  public void onCreate(ObjectNode lease, FieldErrors errors) {
    FieldPath path = FieldPath.of("spec");
    JsonNode duration = lease.path("spec").path("leaseDurationSeconds");
    if (duration.isNumber() && duration.asLong() <= 0) {
      errors.invalid(
          path.child("leaseDurationSeconds"), duration.asLong(), "must be greater than 0");
    }
    CommonChecks.nonNegative(lease.path("spec"), path, errors, "leaseTransitions");
  }

  @Override
  public void onUpdate(ObjectNode lease, ObjectNode old, FieldErrors errors) {
    onCreate(lease, errors);
  }
}

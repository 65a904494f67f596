package dev.berth.server.validation.storage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.fields.CommonChecks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The rules of CSIDriver.
///
/// Upstream's `ValidateCSIDriver`. Kubelets read these objects; Berth's own agents mount no CSI
/// volumes.
public final class CsiDriverValidation implements KindValidator {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath TOKENS = SPEC.child("tokenRequests");

  /// Upstream's bounds of a token's `expirationSeconds`.
  private static final long SHORTEST_TOKEN = 600;

  /// Upstream's limit of the lifetime of tokens, in seconds.
  private static final long LONGEST_TOKEN = 1L << 32;

  @Override
  public void onCreate(ObjectNode driver, FieldErrors errors) {
    CsiDriverName.check(
        driver.path("metadata").path("name").asText(""),
        FieldPath.of("metadata").child("name"),
        errors);
    check(driver.path("spec"), errors);
  }

  private static void check(JsonNode spec, FieldErrors errors) {
    CommonChecks.oneOf(
        spec.path("fsGroupPolicy").asText(""),
        List.of("ReadWriteOnceWithFSType", "File", "None"),
        SPEC.child("fsGroupPolicy"),
        errors);
    for (JsonNode mode : spec.path("volumeLifecycleModes")) {
      if (!List.of("Ephemeral", "Persistent").contains(mode.asText())) {
        errors.notSupported(
            SPEC.child("volumeLifecycleModes"), mode.asText(), List.of("Ephemeral", "Persistent"));
      }
    }
    tokens(spec.path("tokenRequests"), errors);
  }

  private static void tokens(JsonNode requests, FieldErrors errors) {
    Set<String> audiences = new HashSet<>();
    int index = 0;
    for (JsonNode request : requests) {
      FieldPath path = TOKENS.index(index++);
      String audience = request.path("audience").asText("");
      if (!audiences.add(audience)) {
        errors.duplicate(path.child("audience"), audience);
      }
      JsonNode seconds = request.path("expirationSeconds");
      if (seconds.isNumber() && seconds.asLong() < SHORTEST_TOKEN) {
        errors.invalid(
            path.child("expirationSeconds"),
            seconds.asLong(),
            "may not specify a duration less than 10 minutes");
      }
      if (seconds.isNumber() && seconds.asLong() > LONGEST_TOKEN) {
        errors.invalid(
            path.child("expirationSeconds"),
            seconds.asLong(),
            "may not specify a duration larger than 2^32 seconds");
      }
    }
  }

  @Override
  public void onUpdate(ObjectNode driver, ObjectNode old, FieldErrors errors) {
    check(driver.path("spec"), errors);
    for (String field : List.of("attachRequired", "volumeLifecycleModes")) {
      CommonChecks.immutable(
          driver.path("spec").path(field), old.path("spec").path(field), SPEC.child(field), errors);
    }
  }
}

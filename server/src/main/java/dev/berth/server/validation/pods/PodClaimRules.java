package dev.berth.server.validation.pods;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.fields.NameRules;
import dev.berth.server.validation.fields.PodFields;
import java.util.HashSet;
import java.util.Set;

/// The rules of a pod's claims of devices.
///
/// Dynamic resource allocation, KEP-4381. Claims are only stored: no driver allocates devices here,
/// and the scheduler leaves such pods pending.
final class PodClaimRules {
  private PodClaimRules() {}

  /// Checks the claims and gives their names.
  static Set<String> validate(JsonNode claims, FieldPath path, FieldErrors errors) {
    if (claims.isEmpty()) {
      return Set.of();
    }
    Set<String> names = new HashSet<>();
    for (int i = 0; i < claims.size(); i++) {
      claim(claims.get(i), names, path.index(i), errors);
    }
    return names;
  }

  private static void claim(JsonNode claim, Set<String> names, FieldPath path, FieldErrors errors) {
    String name = PodFields.text(claim, "name");
    if (name.isEmpty()) {
      errors.required(path.child("name"), "");
    } else if (names.add(name)) {
      errors.invalid(path.child("name"), name, NameRules.dns1123Label(name));
    } else {
      errors.duplicate(path.child("name"), name);
    }
    boolean byName = PodFields.has(claim, "resourceClaimName");
    boolean byTemplate = PodFields.has(claim, "resourceClaimTemplateName");
    if (byName && byTemplate) {
      errors.invalid(
          path,
          claim,
          "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified");
    }
    if (!byName && !byTemplate) {
      errors.invalid(
          path, claim, "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
    }
    reference(claim, "resourceClaimName", path, errors);
    reference(claim, "resourceClaimTemplateName", path, errors);
  }

  private static void reference(JsonNode claim, String field, FieldPath path, FieldErrors errors) {
    if (PodFields.has(claim, field)) {
      String name = PodFields.text(claim, field);
      errors.invalid(path.child(field), name, NameRules.dns1123Subdomain(name));
    }
  }
}

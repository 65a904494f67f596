package dev.berth.server.validation.storage;

import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.fields.NameRules;
import java.util.Locale;

/// The rule for names of CSI drivers, wherever one is named.
///
/// The name becomes part of paths on nodes, which limits its length.
public final class CsiDriverName {
  private CsiDriverName() {}

  public static void check(String name, FieldPath path, FieldErrors errors) {
    if (name.isEmpty()) {
      errors.required(path, "");
    }
    if (name.length() > NameRules.LABEL_LENGTH) {
      errors.tooLong(path, NameRules.LABEL_LENGTH);
    }
    errors.invalid(path, name, NameRules.dns1123Subdomain(name.toLowerCase(Locale.ROOT)));
  }
}

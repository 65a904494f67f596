package dev.berth.server.validation;

import java.util.Locale;

/// The rule for names of CSI drivers, wherever one is named.
final class CsiDriverName {
  private CsiDriverName() {}

  static void check(String name, FieldPath path, FieldErrors errors) {
    if (name.isEmpty()) {
      errors.required(path, "");
    }
    if (name.length() > NameRules.LABEL_LENGTH) {
      errors.tooLong(path, NameRules.LABEL_LENGTH);
    }
    errors.invalid(path, name, NameRules.dns1123Subdomain(name.toLowerCase(Locale.ROOT)));
  }
}

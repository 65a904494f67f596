package dev.berth.server.fields;

import dev.berth.server.validation.GoText;
import java.util.Comparator;

/// The identity of an entry of `managedFields`. The natural order decides the order of entries with
/// equal times, and thereby which of them `capUpdaters` merges.
///
/// @param apiVersion empty for appliers, which keep their entry across versions
record ManagerKey(String manager, boolean applier, String apiVersion, String subresource)
    implements Comparable<ManagerKey> {

  private static final Comparator<ManagerKey> ORDER =
      Comparator.comparing(ManagerKey::manager)
          .thenComparing(ManagerKey::operation)
          .thenComparing(ManagerKey::apiVersion)
          .thenComparing(ManagerKey::subresource);

  static ManagerKey applier(String manager, String subresource) {
    return new ManagerKey(manager, true, "", subresource);
  }

  static ManagerKey updater(String manager, String apiVersion, String subresource) {
    return new ManagerKey(manager, false, apiVersion, subresource);
  }

  String operation() {
    return applier ? ManagedFields.APPLY : ManagedFields.UPDATE;
  }

  /// The manager's name in conflicts, such as `"m" with subresource "status" using v1`.
  String description() {
    StringBuilder text = new StringBuilder(GoText.quote(manager));
    if (!subresource.isEmpty()) {
      text.append(" with subresource ").append(GoText.quote(subresource));
    }
    return applier ? text.toString() : text.append(" using ").append(apiVersion).toString();
  }

  @Override
  public int compareTo(ManagerKey other) {
    return ORDER.compare(this, other);
  }
}

package dev.berth.server.admission.runtimeclass;

import dev.berth.server.admission.NamespaceLabels;
import dev.berth.server.auth.ObjectReader;
import java.util.List;

/// Lists the RuntimeClasses that a namespace may use, for the message about an unknown class.
record UsableClasses(ObjectReader objects, RuntimeCatalog catalog) {
  /// Bounds the list of class names in a rejection.
  private static final int MOST = 10;

  /// The text after `RuntimeClass "x" not found`.
  String advice(String namespace) {
    List<String> names =
        catalog.classes().stream()
            .filter(
                policy ->
                    policy.allows(
                        namespace, NamespaceLabels.of(objects.read("namespaces", "", namespace))))
            .map(RuntimeClassPolicy::name)
            .toList();
    String some = String.join(", ", names.subList(0, Math.min(MOST, names.size())));
    return "; create it, or name another one (there are: %s)"
        .formatted(names.isEmpty() ? "none" : names.size() > MOST ? some + ", ..." : some);
  }
}

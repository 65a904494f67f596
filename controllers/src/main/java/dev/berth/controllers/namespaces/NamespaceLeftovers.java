package dev.berth.controllers.namespaces;

import dev.berth.client.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// What remains in a terminating namespace after all its objects were deleted.
///
/// @param remaining the number of objects by resource (`pods.`, `deployments.apps`)
/// @param finalizers the number of objects by finalizer
/// @param failures why resources could not be deleted or listed
/// @param undiscovered groups whose discovery failed
record NamespaceLeftovers(
    SortedMap<String, Integer> remaining,
    SortedMap<String, Integer> finalizers,
    List<String> failures,
    List<String> undiscovered) {
  NamespaceLeftovers {
    remaining = new TreeMap<>(remaining);
    finalizers = new TreeMap<>(finalizers);
    failures = List.copyOf(failures);
    undiscovered = List.copyOf(undiscovered);
  }

  static NamespaceLeftovers nothing() {
    return new NamespaceLeftovers(new TreeMap<>(), new TreeMap<>(), List.of(), List.of());
  }

  /// The finalizer may be removed only when the namespace is known to be empty.
  boolean isEmpty() {
    return remaining.isEmpty() && failures.isEmpty() && undiscovered.isEmpty();
  }

  /// The resource as upstream's messages name it: with a dot also for the core group.
  static String name(ResourceType type) {
    return type.plural() + "." + type.group();
  }

  static String list(Map<String, Integer> counts, String format) {
    return counts.entrySet().stream()
        .map(entry -> format.formatted(entry.getKey(), entry.getValue()))
        .collect(java.util.stream.Collectors.joining(", "));
  }
}

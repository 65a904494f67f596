package dev.berth.controllers.namespaces;

import dev.berth.client.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// What was found in a terminating namespace after everything was told to go.
///
/// @param remaining how many objects of which resource (`pods.`, `deployments.apps`)
/// @param finalizers on how many objects which finalizer still waits
/// @param failures why resources could not be deleted or listed
/// @param undiscovered groups that could not be asked what they hold
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

  /// The namespace may go only when it is known to be empty.
  boolean isEmpty() {
    return remaining.isEmpty() && failures.isEmpty() && undiscovered.isEmpty();
  }

  /// As the API's messages name a resource: with a dot also for the core group.
  static String name(ResourceType type) {
    return type.plural() + "." + type.group();
  }

  static String list(Map<String, Integer> counts, String format) {
    return counts.entrySet().stream()
        .map(entry -> format.formatted(entry.getKey(), entry.getValue()))
        .collect(java.util.stream.Collectors.joining(", "));
  }
}

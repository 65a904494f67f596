package dev.berth.server.discovery;

import dev.berth.server.kinds.MetricKind;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ReviewKind;
import dev.berth.server.kinds.Verb;
import dev.berth.server.kinds.catalog.ServedKinds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// All served resources by group and version, both in order of preference.
///
/// kubectl resolves a short name to the first group that has it, so the order is visible to users.
final class ServedGroups {
  /// Upstream's order, which decides the group of ambiguous names like `events`. Other groups
  /// follow by name.
  private static final List<String> ORDER =
      List.of(
          "",
          "apps",
          "events.k8s.io",
          "authentication.k8s.io",
          "authorization.k8s.io",
          "autoscaling",
          "batch",
          "certificates.k8s.io",
          "networking.k8s.io",
          "policy",
          "rbac.authorization.k8s.io",
          "storage.k8s.io",
          "admissionregistration.k8s.io",
          "apiextensions.k8s.io",
          "scheduling.k8s.io",
          "coordination.k8s.io",
          "node.k8s.io",
          "discovery.k8s.io");

  private static final Comparator<String> GROUP_ORDER =
      Comparator.<String>comparingInt(
              group -> ORDER.contains(group) ? ORDER.indexOf(group) : ORDER.size())
          .thenComparing(Comparator.naturalOrder());

  private final Map<String, Map<String, List<ServedResource>>> groups = new TreeMap<>(GROUP_ORDER);

  ServedGroups(ServedKinds kinds) {
    Stream.of(
            kinds.all().stream().flatMap(ServedGroups::resources),
            kinds.reviews().stream().map(ServedGroups::review),
            MetricKind.ALL.stream().map(ServedGroups::metric))
        .flatMap(some -> some)
        .sorted(Comparator.comparing(ServedResource::plural))
        .forEach(this::add);
  }

  private static Stream<ServedResource> resources(ResourceKind kind) {
    return kind.versions().stream().map(served -> ServedResource.of(kind, served));
  }

  private static ServedResource review(ReviewKind kind) {
    return new ServedResource(
        kind.group(),
        kind.version(),
        kind.plural(),
        kind.singular(),
        kind.kind(),
        kind.namespaced(),
        EnumSet.of(Verb.CREATE),
        List.of(),
        List.of(),
        List.of(),
        "");
  }

  private static ServedResource metric(MetricKind kind) {
    return new ServedResource(
        MetricKind.GROUP,
        MetricKind.VERSION,
        kind.plural(),
        "",
        kind.kind(),
        kind.namespaced(),
        EnumSet.of(Verb.GET, Verb.LIST),
        List.of(),
        List.of(),
        List.of(),
        "");
  }

  private void add(ServedResource resource) {
    groups
        .computeIfAbsent(resource.group(), _ -> new TreeMap<>(VersionOrder.PREFERRED_FIRST))
        .computeIfAbsent(resource.version(), _ -> new ArrayList<>())
        .add(resource);
  }

  Map<String, List<String>> all() {
    Map<String, List<String>> all = new LinkedHashMap<>();
    groups.forEach((group, versions) -> all.put(group, List.copyOf(versions.keySet())));
    return all;
  }

  /// Without the core group.
  List<String> named() {
    return groups.keySet().stream().filter(group -> !group.isEmpty()).toList();
  }

  /// Preferred version first; empty when there is no such group.
  List<String> versions(String group) {
    return List.copyOf(groups.getOrDefault(group, Map.of()).keySet());
  }

  /// Sorted by name; empty when there is no such group and version.
  List<ServedResource> resources(String group, String version) {
    return groups.getOrDefault(group, Map.of()).getOrDefault(version, List.of());
  }
}

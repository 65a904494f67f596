package dev.berth.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Everything that a server offers, in its order of preference.
///
/// @param unavailable groups that did not answer: their kinds are unknown, not absent
public record ResourceCatalog(List<ServedResource> resources, Set<String> unavailable) {
  public ResourceCatalog {
    resources = List.copyOf(resources);
    unavailable = Set.copyOf(unavailable);
  }

  /// Each resource once, in the version that the server prefers.
  public List<ServedResource> preferred() {
    Map<String, ServedResource> byName = new LinkedHashMap<>();
    for (ServedResource resource : resources) {
      byName.putIfAbsent(resource.type().qualifiedPlural(), resource);
    }
    return new ArrayList<>(byName.values());
  }

  /// The resource of a kind, in the version that the server prefers.
  public Optional<ServedResource> ofKind(String group, String kind) {
    return resources.stream()
        .filter(served -> served.type().group().equals(group))
        .filter(served -> served.type().kind().equals(kind))
        .findFirst();
  }
}

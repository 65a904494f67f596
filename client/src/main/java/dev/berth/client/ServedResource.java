package dev.berth.client;

import java.util.Set;

/// A kind that a server offers, with its verbs.
public record ServedResource(ResourceType type, Set<String> verbs) {
  public ServedResource {
    verbs = Set.copyOf(verbs);
  }

  public boolean allows(String... all) {
    return verbs.containsAll(Set.of(all));
  }
}

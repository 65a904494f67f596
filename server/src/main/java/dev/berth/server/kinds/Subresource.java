package dev.berth.server.kinds;

import java.util.Set;

/// A subresource of a kind, such as `status`.
///
/// RBAC grants a subresource separately, under `plural/name`.
///
/// @param kind the kind of its body and answer, e.g. `Pod`, `Scale`, `Binding`
/// @param group group of that kind when it differs from the parent's, else ""
/// @param version version of that kind when it differs from the parent's, else ""
public record Subresource(String name, String kind, String group, String version, Set<Verb> verbs) {
  public Subresource {
    verbs = Set.copyOf(verbs);
  }
}

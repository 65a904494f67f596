package dev.berth.server.auth.rbac;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A role that bindings refer to, whether it exists (yet) or not.
///
/// Changed only under the policy's lock; `rules` and `exists` may be read at any time.
public final class RoleRef {
  private final RbacPolicy.RoleKey key;
  private @Nullable RoleDefinition definition;
  private volatile boolean exists;

  /// Including those taken from other roles.
  private volatile List<PolicyRule> rules = List.of();

  RoleRef(RbacPolicy.RoleKey key) {
    this.key = key;
  }

  RbacPolicy.RoleKey key() {
    return key;
  }

  boolean exists() {
    return exists;
  }

  List<PolicyRule> rules() {
    return rules;
  }

  /// @param definition null when there is no such role
  void define(@Nullable RoleDefinition definition) {
    this.definition = definition;
    rules = definition == null ? List.of() : definition.rules();
    exists = definition != null;
  }

  /// Takes the rules of all roles that this one selects, and of those that they select.
  void aggregate(Collection<RoleRef> all) {
    if (definition != null && !definition.selectors().isEmpty()) {
      Set<PolicyRule> union = new LinkedHashSet<>();
      collect(all, union, new HashSet<>());
      rules = List.copyOf(union);
    }
  }

  private void collect(Collection<RoleRef> all, Set<PolicyRule> union, Set<RoleRef> seen) {
    if (definition == null || !seen.add(this)) {
      return;
    }
    union.addAll(definition.rules());
    for (RoleRef other : definition.selectors().isEmpty() ? List.<RoleRef>of() : all) {
      if (other.key.namespace().isEmpty()
          && other.definition != null
          && definition.selects(other.definition)) {
        other.collect(all, union, seen);
      }
    }
  }
}

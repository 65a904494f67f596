package dev.berth.server.auth.rbac;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A role that bindings refer to; the role itself may not exist (yet).
///
/// Fields change only under the lock of {@link RbacPolicy}; `rules` and `exists` may be read
/// without it.
///
/// A binding keeps the reference, so a role that is created after its binding takes effect without
/// a change of the binding.
public final class RoleRef {
  private final RbacPolicy.RoleKey key;
  private @Nullable RoleDefinition definition;

  /// Volatile: authorization reads it without the lock.
  private volatile boolean exists;

  /// Includes aggregated rules.
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

  /// Aggregated rules are computed afterwards for all roles.
  ///
  /// @param definition null when the role does not exist
  void define(@Nullable RoleDefinition definition) {
    this.definition = definition;
    rules = definition == null ? List.of() : definition.rules();
    exists = definition != null;
  }

  /// Aggregates the rules of all roles that this one selects, and of those that they select.
  void aggregate(Collection<RoleRef> all) {
    if (definition != null && !definition.selectors().isEmpty()) {
      Set<PolicyRule> union = new LinkedHashSet<>();
      collect(all, union, new HashSet<>());
      rules = List.copyOf(union);
    }
  }

  private void collect(Collection<RoleRef> all, Set<PolicyRule> union, Set<RoleRef> seen) {
    // Roles may select each other in a circle.
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

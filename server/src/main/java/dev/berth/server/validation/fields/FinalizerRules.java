package dev.berth.server.validation.fields;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoComposites;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The rules of finalizers, in `metadata` and in a namespace's spec.
public final class FinalizerRules {
  private static final String ORPHAN = "orphan";
  private static final String FOREGROUND = "foregroundDeletion";
  private static final Set<String> STANDARD = Set.of("kubernetes", ORPHAN, FOREGROUND);

  private FinalizerRules() {}

  static void check(JsonNode finalizers, FieldPath path, FieldErrors errors) {
    List<String> names = GoComposites.strings(finalizers);
    for (String name : names) {
      errors.invalid(path, name, NameRules.qualifiedName(name));
    }
    // They ask the garbage collector for opposite things.
    if (names.contains(ORPHAN) && names.contains(FOREGROUND)) {
      errors.invalidLiteral(
          path,
          GoComposites.stringList(names),
          "finalizer %s and %s cannot be both set".formatted(ORPHAN, FOREGROUND));
    }
  }

  /// Names without a domain are reserved for Kubernetes itself.
  public static void checkStandard(JsonNode finalizers, FieldPath path, FieldErrors errors) {
    for (int i = 0; i < finalizers.size(); i++) {
      checkStandard(finalizers.get(i).asText(), path.index(i), errors);
    }
  }

  public static void checkStandard(String name, FieldPath path, FieldErrors errors) {
    if (!name.contains("/") && !STANDARD.contains(name)) {
      errors.invalid(
          path, name, "name is neither a standard finalizer name nor is it fully qualified");
    }
  }

  /// A finalizer that came after the deletion would not be known to those who decide that the
  /// object may go.
  static void checkNoneAdded(
      JsonNode finalizers, JsonNode old, FieldPath path, FieldErrors errors) {
    Set<String> added = new TreeSet<>(GoComposites.strings(finalizers));
    added.removeAll(Set.copyOf(GoComposites.strings(old)));
    if (!added.isEmpty()) {
      errors.forbidden(
          path,
          "no new finalizers can be added if the object is being deleted, found new finalizers "
              + GoComposites.stringList(added));
    }
  }
}

package dev.berth.server.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// What the server itself does to an object of one kind around a write, in place.
///
/// Objects are in the storage version, normalised and defaulted; `old` is what is stored and must
/// not be changed.
public interface KindStrategy {
  KindStrategy PLAIN = new KindStrategy() {};

  /// After uid, name and creationTimestamp are set, before validation.
  default void prepareCreate(ObjectNode object) {}

  /// Before the validation of a write to the main resource.
  default void prepareUpdate(ObjectNode object, ObjectNode old) {}

  /// Before the validation of a write to `/status`.
  default void prepareStatusUpdate(ObjectNode object, ObjectNode old) {}

  /// Before the validation of a write to `/approval`, which only requests for certificates have.
  default void prepareApproval(ObjectNode object, ObjectNode old) {}

  /// Before the validation of a write to `/finalize`, which only namespaces have.
  default void prepareFinalize(ObjectNode object, ObjectNode old) {}

  /// Before the validation of a write to `/ephemeralcontainers`.
  default void prepareEphemeralContainersUpdate(ObjectNode object, ObjectNode old) {}

  /// Before the validation of a write to `/resize`, which only pods have.
  default void prepareResize(ObjectNode object, ObjectNode old) {}

  /// After validation, on create and on every update.
  default void canonicalize(ObjectNode object) {}

  /// Clients may set the status when they create the object.
  default boolean keepsStatusOnCreate() {
    return false;
  }

  /// The update counts in `metadata.generation` (asked only for kinds that have one).
  default boolean changesGeneration(ObjectNode object, ObjectNode old) {
    return !object.path("spec").equals(old.path("spec"));
  }

  /// A delete without a propagation policy orphans the dependents and warns with this text; empty
  /// for the kinds whose dependents go in the background.
  default String warningOnPlainDelete() {
    return "";
  }
}

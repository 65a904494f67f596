package dev.berth.server.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// Changes that the server makes to objects of one kind before and after validation, in place.
///
/// Objects are in the storage version, normalized and defaulted; `old` is the stored object and
/// must not be changed.
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

  /// Whether a create may set the status.
  default boolean keepsStatusOnCreate() {
    return false;
  }

  /// Whether the update increases `metadata.generation` (only for kinds that have one).
  default boolean changesGeneration(ObjectNode object, ObjectNode old) {
    return !object.path("spec").equals(old.path("spec"));
  }

  /// The warning of a delete without propagation policy, which then orphans the dependents; empty
  /// for kinds whose dependents are deleted in the background.
  default String warningOnPlainDelete() {
    return "";
  }
}

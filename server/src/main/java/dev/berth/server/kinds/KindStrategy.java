package dev.berth.server.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// Changes that the server makes to objects of one kind before and after validation, in place. The
/// verbs choose the method by the subresource, see `SubresourceRules`.
///
/// Objects are in the storage version, normalized and defaulted; `old` is the stored object and
/// must not be changed. Strategies have no state; they may run again for the same request after a
/// concurrent write.
public interface KindStrategy {
  KindStrategy PLAIN = new KindStrategy() {};

  /// Runs after uid, name and creationTimestamp are set and before validation.
  default void prepareCreate(ObjectNode object) {}

  /// Runs before the validation of a write to the main resource.
  default void prepareUpdate(ObjectNode object, ObjectNode old) {}

  /// Runs before the validation of a write to `/status`.
  default void prepareStatusUpdate(ObjectNode object, ObjectNode old) {}

  /// Runs before the validation of a write to `/approval`, which only requests for certificates
  /// have.
  default void prepareApproval(ObjectNode object, ObjectNode old) {}

  /// Runs before the validation of a write to `/finalize`, which only namespaces have.
  default void prepareFinalize(ObjectNode object, ObjectNode old) {}

  /// Runs before the validation of a write to `/ephemeralcontainers`.
  default void prepareEphemeralContainersUpdate(ObjectNode object, ObjectNode old) {}

  /// Runs before the validation of a write to `/resize`, which only pods have.
  default void prepareResize(ObjectNode object, ObjectNode old) {}

  /// Runs after validation, on create and on every update, so that validation reports the values
  /// that the client sent.
  default void canonicalize(ObjectNode object) {}

  /// Whether a create may set the status.
  default boolean keepsStatusOnCreate() {
    return false;
  }

  /// Whether the update increases `metadata.generation` (only for kinds that have one).
  default boolean changesGeneration(ObjectNode object, ObjectNode old) {
    return !object.path("spec").equals(old.path("spec"));
  }
}

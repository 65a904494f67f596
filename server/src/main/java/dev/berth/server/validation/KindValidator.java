package dev.berth.server.validation;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// The rules of one kind, beyond those of `metadata`, which hold for every kind alike.
///
/// Objects are in the storage version, defaulted and normalized. Pure: no lookups, no clock.
///
/// Rules report every error they can find, since users fix all of them at once.
///
/// `ResourceKind` calls these methods after defaulting and mutating admission, inside of the retry
/// loop of the verbs. A rule thus runs once per attempt, sees every default, and never what the
/// client left out. Existing objects are not validated when they are read: a rule that becomes
/// stricter must accept old values on update.
public interface KindValidator {
  KindValidator NONE =
      new KindValidator() {
        @Override
        public void onCreate(ObjectNode object, FieldErrors errors) {}

        @Override
        public void onUpdate(ObjectNode object, ObjectNode old, FieldErrors errors) {}
      };

  /// The rules for requests in one version of the kind; few kinds distinguish versions.
  ///
  /// @param apiVersion of the request, e.g. `events.k8s.io/v1`
  default KindValidator forVersion(String apiVersion) {
    return this;
  }

  void onCreate(ObjectNode object, FieldErrors errors);

  /// The rules for a change of the main resource; usually all of `onCreate` and the immutable
  /// fields.
  void onUpdate(ObjectNode object, ObjectNode old, FieldErrors errors);

  /// The rules for a write to `/status`.
  default void onStatusUpdate(ObjectNode object, ObjectNode old, FieldErrors errors) {}

  /// The rules for a write to `/approval`, which only requests for certificates have.
  default void onApproval(ObjectNode object, ObjectNode old, FieldErrors errors) {}

  /// The rules for a write to `/finalize`.
  default void onFinalize(ObjectNode object, FieldErrors errors) {}

  /// The rules for a write to `/ephemeralcontainers`, which only pods have.
  default void onEphemeralContainersUpdate(ObjectNode object, ObjectNode old, FieldErrors errors) {
    onUpdate(object, old, errors);
  }

  /// The rules for a write to `/resize`, which only pods have.
  default void onResize(ObjectNode object, ObjectNode old, FieldErrors errors) {
    onUpdate(object, old, errors);
  }

  /// Whether updates produce warnings; pods, which programs update often, produce them on create
  /// only.
  default boolean warnsOnUpdate() {
    return true;
  }

  /// Adds warnings, which are sent as `Warning` headers.
  default void warn(ObjectNode object, java.util.function.Consumer<String> warnings) {}
}

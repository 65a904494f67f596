package dev.berth.server.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/// Converts objects of a served version to the stored version and back, without loss.
///
/// Both directions get a copy that they may change in place; the caller sets `apiVersion` and
/// `kind`.
///
/// A field that a version cannot express must survive a write through it, or an old client would
/// delete it unknowingly.
public interface VersionConversion {
  ObjectNode toStored(ObjectNode served);

  ObjectNode fromStored(ObjectNode stored);

  /// The stored name of a selectable field of the served version; empty when it is not selectable.
  default Optional<String> storedField(String served) {
    return Optional.of(served);
  }

  /// Whether the served version has the form of the stored one, so that stored bytes can be sent
  /// unchanged.
  default boolean sameShape() {
    return false;
  }

  /// A conversion where only `apiVersion` differs.
  VersionConversion RENAMED =
      new VersionConversion() {
        @Override
        public ObjectNode toStored(ObjectNode served) {
          return served;
        }

        @Override
        public ObjectNode fromStored(ObjectNode stored) {
          return stored;
        }
      };

  /// The conversion of the stored version: identity.
  VersionConversion SAME =
      new VersionConversion() {
        @Override
        public ObjectNode toStored(ObjectNode served) {
          return served;
        }

        @Override
        public ObjectNode fromStored(ObjectNode stored) {
          return stored;
        }

        @Override
        public boolean sameShape() {
          return true;
        }
      };
}

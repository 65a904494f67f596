package dev.berth.server.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/// Turns an object of a served version into the stored version and back, without loss.
///
/// Both directions get their own copy and may change it in place; `apiVersion` and `kind` are set
/// by the caller.
public interface VersionConversion {
  ObjectNode toStored(ObjectNode served);

  ObjectNode fromStored(ObjectNode stored);

  /// The stored name of a field that the served version selects objects by; empty when it is not
  /// one.
  default Optional<String> storedField(String served) {
    return Optional.of(served);
  }

  /// The served version prints exactly as the stored one, so that stored bytes can be sent as they
  /// are.
  default boolean sameShape() {
    return false;
  }

  /// Nothing but `apiVersion` differs.
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

  /// The stored version itself.
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

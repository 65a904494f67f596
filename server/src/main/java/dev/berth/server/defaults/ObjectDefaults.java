package dev.berth.server.defaults;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// Sets defaults of absent fields, in place. Implementations are idempotent, because updates apply
/// them again to objects that already have them, and they never change a value that is present.
@FunctionalInterface
public interface ObjectDefaults {
  ObjectDefaults NONE = _ -> {};

  void apply(ObjectNode object);
}

package dev.berth.server.defaults;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// Sets defaults of absent fields, in place; idempotent.
@FunctionalInterface
public interface ObjectDefaults {
  ObjectDefaults NONE = _ -> {};

  void apply(ObjectNode object);
}

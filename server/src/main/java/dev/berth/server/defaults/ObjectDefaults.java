package dev.berth.server.defaults;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// Fills in what the client left out, in place. Running it twice changes nothing.
@FunctionalInterface
public interface ObjectDefaults {
  ObjectDefaults NONE = _ -> {};

  void apply(ObjectNode object);
}

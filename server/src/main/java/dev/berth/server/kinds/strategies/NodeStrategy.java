package dev.berth.server.kinds.strategies;

import dev.berth.server.kinds.KindStrategy;

/// A node registers with the status it has already observed.
public final class NodeStrategy implements KindStrategy {
  @Override
  public boolean keepsStatusOnCreate() {
    return true;
  }
}

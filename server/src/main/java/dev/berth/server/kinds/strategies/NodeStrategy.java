package dev.berth.server.kinds.strategies;

import dev.berth.server.kinds.KindStrategy;

/// Keeps the status on creation: a node registers with its observed status.
public final class NodeStrategy implements KindStrategy {
  @Override
  public boolean keepsStatusOnCreate() {
    return true;
  }
}

package dev.berth.server.kinds;

/// A node registers with the status it has already observed.
final class NodeStrategy implements KindStrategy {
  @Override
  public boolean keepsStatusOnCreate() {
    return true;
  }
}

package dev.berth.agent.events;

/// Tells users what happens to the node; never blocks.
public interface NodeEvents {
  /// Tells nobody.
  NodeEvents NONE = (_, _, _) -> {};

  void tell(boolean warning, String reason, String message);
}

package dev.berth.agent.events;

/// Records events about the node; never blocks.
public interface NodeEvents {
  /// Drops all events.
  NodeEvents NONE = (_, _, _) -> {};

  void publish(boolean warning, String reason, String message);
}

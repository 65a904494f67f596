package dev.berth.client.events;

/// The reporter of an event.
///
/// @param component as `kubectl describe` shows it; clients filter events by it
/// @param host the node of an agent; empty for components of the control plane
public record EventSource(String component, String host) {
  /// A component of the control plane.
  public static EventSource of(String component) {
    return new EventSource(component, "");
  }
}

package dev.berth.server.flowcontrol;

import java.util.function.Predicate;

/// Puts requests into a priority level and divides them into flows.
record FlowSchema(
    String name, PriorityLevel level, Distinguisher distinguisher, Predicate<FlowRequest> rule) {

  /// What makes requests of one schema different flows.
  enum Distinguisher {
    NONE,
    BY_USER,
    BY_NAMESPACE
  }

  /// The requests that have this in common share a queue.
  String flow(FlowRequest request) {
    return switch (distinguisher) {
      case NONE -> "";
      case BY_USER -> request.userFlow();
      case BY_NAMESPACE -> request.namespace();
    };
  }
}

package dev.berth.server.flowcontrol;

import java.util.function.Predicate;

/// Assigns requests to a priority level and divides them into flows.
record FlowSchema(
    String name, PriorityLevel level, Distinguisher distinguisher, Predicate<FlowRequest> rule) {

  /// The attribute that divides requests of one schema into flows.
  enum Distinguisher {
    NONE,
    BY_USER,
    BY_NAMESPACE
  }

  /// Requests with the same value share a queue.
  String flow(FlowRequest request) {
    return switch (distinguisher) {
      case NONE -> "";
      case BY_USER -> request.userFlow();
      case BY_NAMESPACE -> request.namespace();
    };
  }
}

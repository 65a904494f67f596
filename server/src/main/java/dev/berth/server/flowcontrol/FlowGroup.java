package dev.berth.server.flowcontrol;

import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The flows of one origin in a priority level, see {@link FlowSchema.Origin}: the service accounts
/// of a namespace, or the users of an address.
///
/// A flow belongs to the group of the first of its requests that run or wait now, so that a user
/// with several addresses is still one flow. A flow without an origin is a group of its own.
final class FlowGroup extends FlowShare {
  /// @param isShared whether other flows may have the same origin
  record Key(FlowSchema schema, String origin, boolean isShared) {}

  final Key key;

  /// Flows with running or waiting requests.
  int flows;

  /// Waiting requests of all flows.
  int waiting;

  /// Running heavy requests.
  int heavy;

  /// The service that a permanently busy flow of the group has received, see {@link
  /// LevelSeats#take}.
  long virtualTime;

  /// Flows with waiting requests; null until there is one.
  private @Nullable NavigableSet<FlowQueue> lightQueues;

  private @Nullable NavigableSet<FlowQueue> heavyQueues;

  FlowGroup(Key key, long number) {
    super(number);
    this.key = key;
  }

  /// The flow whose oldest request is next; behind it the first flow of the other weight.
  List<FlowQueue> first() {
    FlowQueue light = first(lightQueues);
    FlowQueue heavyOne = first(heavyQueues);
    if (light == null) {
      return heavyOne == null ? List.of() : List.of(heavyOne);
    }
    if (heavyOne == null) {
      return List.of(light);
    }
    return ORDER.compare(light, heavyOne) < 0 ? List.of(light, heavyOne) : List.of(heavyOne, light);
  }

  private static @Nullable FlowQueue first(@Nullable NavigableSet<FlowQueue> order) {
    return order == null || order.isEmpty() ? null : order.first();
  }

  /// The order of queues depends on the changed values, so the queue is removed and inserted again.
  void reorder(FlowQueue queue, Runnable change) {
    if (!queue.waiting.isEmpty()) {
      order(queue).remove(queue);
    }
    change.run();
    if (!queue.waiting.isEmpty()) {
      order(queue).add(queue);
    }
  }

  private NavigableSet<FlowQueue> order(FlowQueue queue) {
    if (queue.key.isHeavy()) {
      if (heavyQueues == null) {
        heavyQueues = new TreeSet<>(ORDER);
      }
      return heavyQueues;
    }
    if (lightQueues == null) {
      lightQueues = new TreeSet<>(ORDER);
    }
    return lightQueues;
  }
}

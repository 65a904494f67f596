package dev.berth.server.flowcontrol;

import java.util.ArrayDeque;
import java.util.Deque;

/// The waiting requests of one flow, oldest first, and the seats that its running requests hold.
final class FlowQueue extends FlowShare {
  /// Requests with the same key share a queue.
  ///
  /// @param name distinguishes the flow within its schema
  /// @param isHeavy heavy requests have a queue of their own, so that other requests of the same
  ///   user do not wait behind them
  record Key(FlowSchema schema, String name, boolean isHeavy) {}

  final Key key;

  /// The innermost group of the flow.
  final FlowGroup group;

  /// Without room for requests: most flows never wait.
  final Deque<FlowTicket> waiting = new ArrayDeque<>(0);

  FlowQueue(Key key, FlowGroup group, long number) {
    super(group, number);
    this.key = key;
    this.group = group;
  }

  boolean isIdle() {
    return requests == 0 && waiting.isEmpty();
  }

  @Override
  int waiting() {
    return waiting.size();
  }

  @Override
  int lightWaiting() {
    return key.isHeavy() ? 0 : waiting.size();
  }
}

package dev.berth.server.flowcontrol;

import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The flows of one origin in a priority level, see {@link FlowOrigin}: the users of an address, or
/// the service accounts of a namespace as a part of the address that they ask from.
///
/// A flow belongs to the group of the first of its requests that run or wait now, so that a user
/// with several addresses is still one flow; likewise a namespace belongs to one address. A flow
/// without an origin is a group of its own. The root of a level is a group, too.
final class FlowGroup extends FlowShare {
  /// Flows with the same key share a group.
  record Key(FlowSchema schema, FlowOrigin origin) {
    /// Whether other flows may have the same origin.
    boolean isShared() {
      return origin.kind() != OriginKind.NONE;
    }
  }

  /// Null for the root of a level.
  final @Nullable Key key;

  /// Shared groups from this one to the root of the level, itself included.
  final int depth;

  /// Flows and groups with running or waiting requests.
  int parts;

  /// Running heavy requests.
  int heavy;

  /// The service that a permanently busy part of the group has received, see {@link
  /// LevelSeats#take}.
  long virtualTime;

  private int waiting;
  private int lightWaiting;

  /// Parts with waiting requests, and those with waiting requests that are not heavy; null until
  /// there is one. The second set spares the choice of a request from passing over thousands of
  /// parts when no heavy request may run.
  private @Nullable NavigableSet<FlowShare> order;

  private @Nullable NavigableSet<FlowShare> lightOrder;

  private FlowGroup(@Nullable Key key, @Nullable FlowGroup parent, long number) {
    super(parent, number);
    this.key = key;
    this.depth = (parent == null ? 0 : parent.depth) + (key != null && key.isShared() ? 1 : 0);
  }

  static FlowGroup root() {
    return new FlowGroup(null, null, 0);
  }

  static FlowGroup in(FlowGroup parent, Key key, long number) {
    return new FlowGroup(key, parent, number);
  }

  boolean isShared() {
    return key != null && key.isShared();
  }

  @Override
  int waiting() {
    return waiting;
  }

  @Override
  int lightWaiting() {
    return lightWaiting;
  }

  /// Limit for waiting requests: each of the groups within each other leaves a quarter of what it
  /// may have to others.
  int waitingLimit(PriorityLevel level) {
    int limit = level.waitingLimit();
    int groups = parent == null ? 0 : Math.max(1, depth);
    for (int i = 0; i < groups; i++) {
      limit -= limit / 4;
    }
    return limit;
  }

  /// Counts requests that begin or cease to wait.
  void addWaiting(int change, boolean isHeavy) {
    waiting += change;
    lightWaiting += isHeavy ? 0 : change;
  }

  /// The parts with waiting requests, the next one first.
  Collection<FlowShare> order(boolean isLightOnly) {
    NavigableSet<FlowShare> set = isLightOnly ? lightOrder : order;
    return set == null ? List.of() : set;
  }

  /// The order of parts depends on their values, so a part is taken out before they change, and
  /// inserted again afterwards.
  void takeOut(FlowShare part) {
    if (order != null && part.waiting() > 0) {
      order.remove(part);
    }
    if (lightOrder != null && part.lightWaiting() > 0) {
      lightOrder.remove(part);
    }
  }

  void insert(FlowShare part) {
    if (part.waiting() > 0) {
      order = added(order, part);
    }
    if (part.lightWaiting() > 0) {
      lightOrder = added(lightOrder, part);
    }
  }

  private static NavigableSet<FlowShare> added(
      @Nullable NavigableSet<FlowShare> set, FlowShare part) {
    NavigableSet<FlowShare> all = set == null ? new TreeSet<>(ORDER) : set;
    all.add(part);
    return all;
  }
}

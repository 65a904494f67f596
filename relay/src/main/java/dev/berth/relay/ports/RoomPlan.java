package dev.berth.relay.ports;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/// Which connections are closed when there are too many.
///
/// Idle connections whose client never authenticated go first, those that wait longest before
/// others. If that is not enough, idle ones of authenticated clients go: those clients connect
/// again. What serves a request or has left HTTP stays.
final class RoomPlan {
  /// A part of all connections makes room at once, so that it is not looked for at each new one.
  private static final int PART = 20;

  private static final Comparator<ConnectionUse> OLDEST_FIRST =
      Comparator.comparingLong(ConnectionUse::quietSince);

  private RoomPlan() {}

  /// Those that are too many of one address, then those that are too many in total, of the
  /// addresses that have most.
  ///
  /// @param newest the connection that was just opened. It goes only where nothing else can: its
  ///   client may authenticate in a moment
  static <C extends ConnectionUse> List<C> toClose(
      Collection<C> open, C newest, ConnectionLimits limits) {
    Map<String, List<C>> byAddress = new HashMap<>();
    open.forEach(one -> byAddress.computeIfAbsent(one.address(), _ -> new ArrayList<>()).add(one));
    List<C> closed = new ArrayList<>();
    byAddress
        .values()
        .forEach(same -> closed.addAll(pick(same, newest, limits.perAddress(), OLDEST_FIRST)));
    List<C> rest = new ArrayList<>(open);
    rest.removeAll(new HashSet<>(closed));
    Comparator<ConnectionUse> largestFirst =
        Comparator.comparingInt(one -> -byAddress.getOrDefault(one.address(), List.of()).size());
    closed.addAll(
        pick(rest, newest, limits.connections(), largestFirst.thenComparing(OLDEST_FIRST)));
    return closed;
  }

  private static <C extends ConnectionUse> List<C> pick(
      Collection<C> open, C newest, int limit, Comparator<ConnectionUse> order) {
    int surplus = open.size() - limit;
    if (surplus <= 0) {
      return List.of();
    }
    List<C> idle =
        open.stream().filter(one -> !one.equals(newest) && one.isIdle()).sorted(order).toList();
    List<C> closed =
        new ArrayList<>(
            idle.stream().filter(one -> !one.isKnown()).limit(surplus + limit / PART).toList());
    idle.stream()
        .filter(ConnectionUse::isKnown)
        .limit(Math.max(0, surplus - closed.size()))
        .forEach(closed::add);
    if (closed.size() < surplus && open.contains(newest)) {
      closed.add(newest);
    }
    return closed;
  }
}

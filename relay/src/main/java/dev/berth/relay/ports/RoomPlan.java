package dev.berth.relay.ports;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/// Chooses the connections to close when there are too many.
///
/// Idle connections of clients that never authenticated go first, the longest idle before others.
/// If that is not enough, idle connections of authenticated clients go: those clients reconnect.
/// Connections with a request and upgraded ones stay.
final class RoomPlan {
  /// Closes one in 20 connections at once, so that the search does not run for each new connection.
  private static final int PART = 20;

  private static final Comparator<ConnectionUse> OLDEST_FIRST =
      Comparator.comparingLong(ConnectionUse::quietSince);

  private RoomPlan() {}

  /// The connections over the limit of one address, then those over the total limit, from the
  /// addresses with the most connections.
  ///
  /// @param newest the connection that was just opened; it is closed only if nothing else can be,
  ///   because its client may be about to authenticate
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

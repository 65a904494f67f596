package dev.berth.server.http.guard;

import dev.berth.server.flowcontrol.FlowOrigin;
import dev.berth.server.flowcontrol.FlowRequest;
import dev.berth.server.http.routing.RequestInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Counts requests in flight and rejects those over the limits; nobody waits here.
///
/// Each request belongs to one lane: reads, writes, or streams. Health checks never count, because
/// an overloaded server must still say that it is alive. Safe for use by any number of threads; the
/// counters are atomic, no lock is held.
public final class InflightRequests {
  private static final Set<String> HEALTH = Set.of("/healthz", "/livez", "/readyz");

  private final Lane readOnly;
  private final Lane mutating;
  private final Lane streams;

  /// Reserved for administrators when the other lanes are full: they must be able to act on a busy
  /// server, but not to exhaust its memory.
  private final Lane reserve;

  /// Starts without any request.
  ///
  /// @param streams limit for concurrent watches and other streams
  public InflightRequests(InflightLimits limits, int streams) {
    readOnly = new Lane(limits.readOnly());
    mutating = new Lane(limits.mutating());
    this.streams = new Lane(streams);
    reserve = new Lane(Math.max(1, streams / 4));
  }

  /// The place that one request holds in a lane. The holder must leave it exactly once: the
  /// counters do not recognize a second call.
  interface Place {
    /// The place of requests that do not count.
    Place FREE = () -> {};

    void leave();
  }

  /// Requests that share a limit. One user gets at most three quarters of it, so that a user with
  /// slow requests does not block the others; the users of an address and the service accounts of a
  /// namespace together leave a sixteenth.
  private static final class Lane {
    private final AtomicInteger used = new AtomicInteger();

    /// Requests in flight per user and per origin; an entry disappears with the last request, so
    /// the size is bounded by a multiple of the limit.
    private final Map<Object, Integer> usedBy = new ConcurrentHashMap<>();

    private final int limit;
    private final int shareOfUser;
    private final int shareOfOrigin;

    private Lane(int limit) {
      this.limit = limit;
      this.shareOfUser = limit - limit / 4;
      this.shareOfOrigin = limit - limit / 16;
    }

    private Optional<Place> enter(FlowRequest request) {
      if (limit == 0) {
        used.incrementAndGet();
        return Optional.of(used::decrementAndGet);
      }
      String user = request.userFlow();
      List<FlowOrigin> origins = FlowOrigin.of(request);
      // The lane counts first and checks afterwards, so that two requests never share the last
      // place. The price is a spurious refusal when both come at the same moment.
      boolean hasRoom = used.incrementAndGet() <= limit;
      hasRoom &= count(user) <= shareOfUser;
      for (FlowOrigin origin : origins) {
        hasRoom &= count(origin) <= shareOfOrigin;
      }
      Place place = () -> leave(user, origins);
      if (hasRoom) {
        return Optional.of(place);
      }
      place.leave();
      return Optional.empty();
    }

    private int count(Object holder) {
      return usedBy.merge(holder, 1, Integer::sum);
    }

    private void leave(String user, List<FlowOrigin> origins) {
      used.decrementAndGet();
      discount(user);
      origins.forEach(this::discount);
    }

    private void discount(Object holder) {
      usedBy.computeIfPresent(holder, (_, number) -> number > 1 ? number - 1 : null);
    }
  }

  /// Takes a place for a request.
  Optional<Place> enter(RequestInfo info, FlowRequest request) {
    if (isHealth(info)) {
      return Optional.of(Place.FREE);
    }
    Lane lane = info.isLongRunning() ? streams : info.isRead() ? readOnly : mutating;
    Optional<Place> place = lane.enter(request);
    return place.isEmpty() && request.user().isMaster() ? reserve.enter(request) : place;
  }

  private static boolean isHealth(RequestInfo info) {
    return !info.isResource() && HEALTH.stream().anyMatch(info.path()::startsWith);
  }

  int readOnly() {
    return readOnly.used.get();
  }

  int mutating() {
    return mutating.used.get();
  }
}

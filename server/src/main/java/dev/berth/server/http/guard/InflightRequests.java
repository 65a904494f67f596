package dev.berth.server.http.guard;

import dev.berth.server.auth.UserInfo;
import dev.berth.server.http.routing.RequestInfo;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Counts the requests that are served now and refuses those that are too many.
public final class InflightRequests {
  private static final Set<String> READING = Set.of("get", "list", "watch");
  private static final Set<String> HEALTH = Set.of("/healthz", "/livez", "/readyz");

  private final Lane readOnly;
  private final Lane mutating;
  private final Lane streams;

  /// For administrators when the others are taken: they must be able to help when the server is
  /// busy, but not to fill its memory.
  private final Lane reserve;

  /// @param streams how many watches and other streams there may be
  public InflightRequests(InflightLimits limits, int streams) {
    readOnly = new Lane(limits.readOnly());
    mutating = new Lane(limits.mutating());
    this.streams = new Lane(streams);
    reserve = new Lane(Math.max(1, streams / 4));
  }

  /// One request's; to be left once.
  interface Place {
    /// Of requests that do not count.
    Place FREE = () -> {};

    void leave();
  }

  /// Requests that share a limit. One user gets three quarters of it at most: whoever sends slowly,
  /// or reads slowly, keeps others from nothing.
  private static final class Lane {
    private final AtomicInteger used = new AtomicInteger();
    private final Map<String, Integer> usedBy = new ConcurrentHashMap<>();
    private final int limit;
    private final int share;

    private Lane(int limit) {
      this.limit = limit;
      this.share = limit - limit / 4;
    }

    private Optional<Place> enter(String user) {
      if (limit == 0) {
        used.incrementAndGet();
        return Optional.of(used::decrementAndGet);
      }
      int all = used.incrementAndGet();
      int own = usedBy.merge(user, 1, Integer::sum);
      if (all <= limit && own <= share) {
        return Optional.of(() -> leave(user));
      }
      leave(user);
      return Optional.empty();
    }

    private void leave(String user) {
      used.decrementAndGet();
      usedBy.computeIfPresent(user, (_, number) -> number > 1 ? number - 1 : null);
    }
  }

  /// Finds a place for a request.
  ///
  /// @param flow the user's name, or what stands for a user who has none
  Optional<Place> enter(RequestInfo info, UserInfo user, String flow) {
    if (isHealth(info)) {
      return Optional.of(Place.FREE);
    }
    Lane lane =
        info.isLongRunning() ? streams : READING.contains(info.verb()) ? readOnly : mutating;
    Optional<Place> place = lane.enter(flow);
    return place.isEmpty() && user.groups().contains(UserInfo.MASTERS)
        ? reserve.enter(flow)
        : place;
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

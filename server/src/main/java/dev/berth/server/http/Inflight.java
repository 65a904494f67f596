package dev.berth.server.http;

import dev.berth.server.auth.UserInfo;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/// Counts the requests that are served now and refuses those that are too many.
final class Inflight {
  private static final Set<String> READING = Set.of("get", "list", "watch");
  private static final Set<String> STREAMS =
      Set.of("attach", "exec", "log", "portforward", "proxy");
  private static final Set<String> HEALTH = Set.of("/healthz", "/livez", "/readyz");

  private final Lane readOnly;
  private final Lane mutating;

  Inflight(InflightLimits limits) {
    readOnly = new Lane(limits.readOnly());
    mutating = new Lane(limits.mutating());
  }

  /// Requests that share a limit.
  static final class Lane {
    /// Of requests that do not count.
    private static final Lane FREE = new Lane(0);

    private final AtomicInteger used = new AtomicInteger();
    private final int limit;

    private Lane(int limit) {
      this.limit = limit;
    }

    private boolean enter() {
      if (used.incrementAndGet() <= limit || limit == 0) {
        return true;
      }
      used.decrementAndGet();
      return false;
    }

    void leave() {
      used.decrementAndGet();
    }
  }

  /// Finds a place for a request; it must leave the lane once.
  Optional<Lane> enter(RequestInfo info, UserInfo user) {
    Lane lane =
        isLongRunning(info) || isHealth(info)
            ? Lane.FREE
            : READING.contains(info.verb()) ? readOnly : mutating;
    if (lane.enter()) {
      return Optional.of(lane);
    }
    // Administrators must be able to help when the server is busy.
    return user.groups().contains(UserInfo.MASTERS) && Lane.FREE.enter()
        ? Optional.of(Lane.FREE)
        : Optional.empty();
  }

  static boolean isLongRunning(RequestInfo info) {
    return info.verb().equals("watch") || STREAMS.contains(info.subresource());
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

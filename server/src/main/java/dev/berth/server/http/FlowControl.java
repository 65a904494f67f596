package dev.berth.server.http;

import dev.berth.server.auth.UserInfo;
import dev.berth.server.errors.ApiException;
import dev.berth.server.resources.Query;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Optional;

/// Decides who waits when many ask at once: no user and no address keeps others from being served.
///
/// Every request counts against the limits of {@link Inflight}. Requests over many objects need a
/// seat besides, of which there are two per processor ({@link FairSeats}): virtual threads are not
/// interrupted in their work, so a hundred such requests at once would hold up everybody else's.
/// Administrators (`system:masters`) need none.
final class FlowControl {
  private static final int SEATS = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());

  /// Upstream's: requests of one flow that wait, and a quarter of a request's time.
  private static final int QUEUE = 50;

  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final int RETRY_AFTER_SECONDS = 1;

  private final Inflight inflight;
  private final ListCost cost;
  private final FairSeats seats = new FairSeats(SEATS, QUEUE, PATIENCE);

  FlowControl(Inflight inflight, ListCost cost, PrometheusRegistry registry) {
    this.inflight = inflight;
    this.cost = cost;
    GaugeWithCallback.builder()
        .name("apiserver_flowcontrol_current_executing_seats")
        .help("Seats for requests over many objects that are taken now.")
        .callback(callback -> callback.call(seats.used()))
        .register(registry);
    GaugeWithCallback.builder()
        .name("apiserver_flowcontrol_current_inqueue_requests")
        .help("Requests over many objects that wait for a seat now.")
        .callback(callback -> callback.call(seats.waiting()))
        .register(registry);
    CounterWithCallback.builder()
        .name("apiserver_flowcontrol_rejected_requests_total")
        .help(
            "Requests over many objects that waited in vain for a seat, or found their queue full.")
        .callback(callback -> callback.call((double) seats.rejected()))
        .register(registry);
  }

  /// Waits for the request's turn.
  ///
  /// @throws ApiException 429 when there is no place, or its turn does not come in time
  Inflight.Place enter(RequestInfo info, Query query, UserInfo user, SocketAddress client) {
    String flow = flow(user, client);
    Inflight.Place place = inflight.enter(info, user, flow).orElseThrow(FlowControl::tooMany);
    if (user.isMaster() || !cost.isHigh(info, query)) {
      return place;
    }
    Optional<Inflight.Place> seat = Optional.empty();
    try {
      seat = seats.enter(flow);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (seat.isEmpty()) {
        place.leave();
      }
    }
    Inflight.Place taken = seat.orElseThrow(FlowControl::tooMany);
    return () -> {
      taken.leave();
      place.leave();
    };
  }

  /// Users who have no name are told apart by their addresses.
  static String flow(UserInfo user, SocketAddress client) {
    return user.name().equals(UserInfo.ANONYMOUS.name())
            && client instanceof InetSocketAddress address
            && address.getAddress() != null
        ? user.name() + "@" + address.getAddress().getHostAddress()
        : user.name();
  }

  private static ApiException tooMany() {
    return ApiException.tooManyRequests(
        "Too many requests, please try again later.", RETRY_AFTER_SECONDS);
  }
}

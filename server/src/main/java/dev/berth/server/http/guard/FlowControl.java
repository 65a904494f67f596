package dev.berth.server.http.guard;

import dev.berth.server.auth.UserInfo;
import dev.berth.server.errors.ApiException;
import dev.berth.server.flowcontrol.ClientAddress;
import dev.berth.server.flowcontrol.FlowController;
import dev.berth.server.flowcontrol.FlowRequest;
import dev.berth.server.http.routing.RequestInfo;
import dev.berth.server.resources.requests.RequestQuery;
import java.net.SocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Applies priority and fairness and the in-flight limits to requests.
///
/// Streams count against the limit of {@link InflightRequests} while they last. Every request needs
/// seats of priority and fairness: a watch until its first events are sent, another stream until it
/// is authorized. With priority and fairness disabled only the limits of {@link InflightRequests}
/// apply.
public final class FlowControl {
  /// Upstream's `Retry-After` for requests over the in-flight limits.
  private static final int RETRY_AFTER_SECONDS = 1;

  private final InflightRequests inflight;
  private final ListCost cost;
  private final @Nullable FlowController fairness;

  /// Combines the in-flight limits with priority and fairness.
  ///
  /// @param fairness null when priority and fairness is disabled
  public FlowControl(InflightRequests inflight, ListCost cost, @Nullable FlowController fairness) {
    this.inflight = inflight;
    this.cost = cost;
    this.fairness = fairness;
  }

  /// Admits a request or queues it; never blocks.
  ///
  /// A watch takes both a place among the streams and seats. The seats cover the cost of its first
  /// events, and the watch returns them with `leaveSeats` as soon as these are sent. Other streams
  /// (exec, attach, log, port-forward, proxy) return their seat once they are authorized, because
  /// their work happens on the node.
  ///
  /// @throws ApiException 429 when the queue is full as well
  RequestAdmission arrive(
      RequestInfo info, RequestQuery query, UserInfo user, SocketAddress client) {
    String flow = flow(user, client);
    FlowRequest request = request(info, user, flow, client);
    Supplier<InflightRequests.Place> enter = () -> enter(info, request);
    if (fairness == null) {
      return new RequestAdmission(null, enter.get(), enter);
    }
    // The stream's place comes first: a rejected stream must not take seats.
    InflightRequests.Place place = info.isLongRunning() ? enter.get() : null;
    try {
      return new RequestAdmission(fairness.arrive(request, cost.of(info, query)), place, enter);
    } catch (ApiException e) {
      if (place != null) {
        place.leave();
      }
      throw e;
    }
  }

  private InflightRequests.Place enter(RequestInfo info, FlowRequest request) {
    return inflight.enter(info, request).orElseThrow(FlowControl::tooMany);
  }

  private static FlowRequest request(
      RequestInfo info, UserInfo user, String flow, SocketAddress client) {
    return new FlowRequest(
        user,
        flow,
        client,
        info.verb(),
        info.isResource(),
        info.path(),
        info.group(),
        info.resource(),
        info.subresource(),
        info.namespace());
  }

  /// Anonymous users are distinguished by address. Upstream has one flow for all of them, so that
  /// one client could block the others.
  static String flow(UserInfo user, SocketAddress client) {
    return user.name().equals(UserInfo.ANONYMOUS.name())
        ? user.name() + "@" + ClientAddress.of(client)
        : user.name();
  }

  private static ApiException tooMany() {
    return ApiException.tooManyRequests(
        "Too many requests, please try again later.", RETRY_AFTER_SECONDS);
  }
}

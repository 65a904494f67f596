package dev.berth.server.http.guard;

import dev.berth.server.auth.UserInfo;
import dev.berth.server.errors.ApiException;
import dev.berth.server.flowcontrol.FlowController;
import dev.berth.server.flowcontrol.FlowRequest;
import dev.berth.server.http.routing.RequestInfo;
import dev.berth.server.resources.requests.RequestQuery;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HexFormat;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Decides who waits when many ask at once: no user and no address keeps others from being served.
///
/// Streams count against a limit of their own ({@link InflightRequests}) for as long as they last.
/// All else, and a watch until its first events are sent, needs seats of priority and fairness.
/// Without priority and fairness there are only the limits of {@link InflightRequests}.
public final class FlowControl {
  private static final int RETRY_AFTER_SECONDS = 1;

  /// Leading bytes of an IPv6 address that stand for one network: whoever has one address of it
  /// usually has them all.
  private static final int NETWORK_BYTES = 8;

  private final InflightRequests inflight;
  private final ListCost cost;
  private final @Nullable FlowController fairness;

  /// @param fairness null for limits alone
  public FlowControl(InflightRequests inflight, ListCost cost, @Nullable FlowController fairness) {
    this.inflight = inflight;
    this.cost = cost;
    this.fairness = fairness;
  }

  /// Finds a place for a request, or a queue where it waits for one; it never blocks.
  ///
  /// @throws ApiException 429 when there is neither
  RequestAdmission arrive(
      RequestInfo info, RequestQuery query, UserInfo user, SocketAddress client) {
    String flow = flow(user, client);
    boolean isWatch = info.verb().equals("watch");
    Supplier<InflightRequests.Place> enter = () -> enter(info, user, flow);
    if (fairness == null || (info.isLongRunning() && !isWatch)) {
      return new RequestAdmission(null, enter.get(), enter);
    }
    // A watch that finds no place must not take seats.
    InflightRequests.Place place = isWatch ? enter.get() : null;
    try {
      return new RequestAdmission(
          fairness.arrive(request(info, user, flow), cost.of(info, query)), place, enter);
    } catch (ApiException e) {
      if (place != null) {
        place.leave();
      }
      throw e;
    }
  }

  private InflightRequests.Place enter(RequestInfo info, UserInfo user, String flow) {
    return inflight.enter(info, user, flow).orElseThrow(FlowControl::tooMany);
  }

  private static FlowRequest request(RequestInfo info, UserInfo user, String flow) {
    return new FlowRequest(
        user,
        flow,
        info.verb(),
        info.isResource(),
        info.path(),
        info.group(),
        info.resource(),
        info.subresource(),
        info.namespace());
  }

  /// Users who have no name are distinguished by their addresses. Upstream has one flow for all of
  /// them, so that one of them could hold up the others.
  static String flow(UserInfo user, SocketAddress client) {
    return user.name().equals(UserInfo.ANONYMOUS.name())
        ? user.name() + "@" + address(client)
        : user.name();
  }

  /// The client's address, of IPv6 its network; "" for a client in the same process.
  private static String address(SocketAddress client) {
    if (!(client instanceof InetSocketAddress socket) || socket.getAddress() == null) {
      return "";
    }
    InetAddress address = socket.getAddress();
    return address instanceof Inet6Address
        ? HexFormat.of().formatHex(address.getAddress(), 0, NETWORK_BYTES)
        : address.getHostAddress();
  }

  private static ApiException tooMany() {
    return ApiException.tooManyRequests(
        "Too many requests, please try again later.", RETRY_AFTER_SECONDS);
  }
}

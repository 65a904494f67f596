package dev.berth.server.http;

import dev.berth.relay.UpgradedConnection;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Closes connections that neither have a request nor get one across in time.
///
/// An idle timeout alone does not: a handshake or a request's head that trickles in byte by byte
/// never lets it expire.
///
/// When there are as many connections as there may be, idle ones of clients that never showed who
/// they are make room, first those of the address that has most: new clients always get through.
final class ConnectionGuard extends Handler.Wrapper implements Connection.Listener {
  private static final Logger log = LoggerFactory.getLogger(ConnectionGuard.class);
  private static final Duration LONGEST_PERIOD = Duration.ofSeconds(1);

  /// The attribute of a request whose user is authenticated.
  static final String KNOWN_USER = ConnectionGuard.class.getName() + ".known";

  /// A part of all connections makes room at once, so that it is not looked for at each new one.
  private static final int PART = 20;

  private final HttpLimits limits;
  private final Map<EndPoint, Use> uses = new ConcurrentHashMap<>();
  private final Thread sweeper;
  private final AtomicBoolean makingRoom = new AtomicBoolean();

  /// What a connection is used for now.
  private static final class Use {
    private final AtomicInteger requests = new AtomicInteger();
    private volatile long quietSince;
    private volatile boolean hadRequest;
    private volatile boolean isKnown;
    private final String address;

    private Use(String address, long now) {
      this.address = address;
      quietSince = now;
    }

    private boolean isDispensable() {
      return !isKnown && requests.get() == 0;
    }

    private void begin() {
      hadRequest = true;
      requests.incrementAndGet();
    }

    private void end(long now) {
      quietSince = now;
      requests.decrementAndGet();
    }

    private boolean isOverdue(HttpLimits limits, long now) {
      Duration limit = hadRequest ? limits.idle().plus(limits.header()) : limits.header();
      return requests.get() == 0 && now - quietSince > limit.toNanos();
    }
  }

  ConnectionGuard(HttpLimits limits, Handler handler) {
    super(handler);
    this.limits = limits;
    this.sweeper = Thread.ofVirtual().name("connection-guard").unstarted(this::sweepForEver);
  }

  @Override
  protected void doStart() throws Exception {
    super.doStart();
    sweeper.start();
  }

  @Override
  protected void doStop() throws Exception {
    sweeper.interrupt();
    super.doStop();
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Connection connection = request.getConnectionMetaData().getConnection();
    Use use = connection == null ? null : uses.get(socket(connection.getEndPoint()));
    if (use != null) {
      use.begin();
      Request.addCompletionListener(
          request,
          _ -> {
            use.isKnown |= request.getAttribute(KNOWN_USER) != null;
            use.end(System.nanoTime());
          });
    }
    return super.handle(request, response, callback);
  }

  /// Called for each layer of a connection; only the lowest one is a socket.
  @Override
  public void onOpened(Connection connection) {
    EndPoint endPoint = connection.getEndPoint();
    if (!(endPoint instanceof EndPoint.Wrapper)) {
      uses.put(endPoint, new Use(address(endPoint), System.nanoTime()));
      if (uses.size() >= limits.connections()) {
        makeRoom();
      }
    }
  }

  private static String address(EndPoint endPoint) {
    return endPoint.getRemoteSocketAddress() instanceof InetSocketAddress remote
            && remote.getAddress() != null
        ? remote.getAddress().getHostAddress()
        : "";
  }

  /// One thread at a time; the others go on. The newest connection stays in any case: it may be
  /// that of somebody who is known in a moment.
  private void makeRoom() {
    if (!makingRoom.compareAndSet(false, true)) {
      return;
    }
    try {
      Map<String, Integer> byAddress = new HashMap<>();
      uses.values().forEach(use -> byAddress.merge(use.address, 1, Integer::sum));
      List<Map.Entry<EndPoint, Use>> closed =
          uses.entrySet().stream()
              .filter(one -> one.getValue().isDispensable() && !hasLeftHttp(one.getKey()))
              .sorted(
                  Comparator.comparingInt(
                          (Map.Entry<EndPoint, Use> one) ->
                              -byAddress.getOrDefault(one.getValue().address, 0))
                      .thenComparingLong(one -> one.getValue().quietSince))
              .limit(surplus() + Math.max(1, limits.connections() / PART))
              .toList();
      log.debug("too many connections, idle ones are closed number={}", closed.size());
      closed.forEach(one -> one.getKey().close());
    } finally {
      makingRoom.set(false);
    }
  }

  private int surplus() {
    return Math.max(0, uses.size() - limits.connections());
  }

  @Override
  public void onClosed(Connection connection) {
    uses.remove(connection.getEndPoint());
  }

  int connections() {
    return uses.size();
  }

  private static EndPoint socket(EndPoint endPoint) {
    EndPoint lowest = endPoint;
    while (lowest instanceof EndPoint.Wrapper wrapper) {
      lowest = wrapper.unwrap();
    }
    return lowest;
  }

  private static boolean hasLeftHttp(EndPoint endPoint) {
    return endPoint.getConnection() instanceof SslConnection tls
        && (tls.getSslEndPoint().getConnection() instanceof WebSocket
            || tls.getSslEndPoint().getConnection() instanceof UpgradedConnection);
  }

  private void sweepForEver() {
    Duration quarter = limits.header().dividedBy(4);
    Duration period = quarter.compareTo(LONGEST_PERIOD) < 0 ? quarter : LONGEST_PERIOD;
    try {
      while (true) {
        Thread.sleep(period);
        sweep(System.nanoTime());
      }
    } catch (InterruptedException _) {
      // The server stops.
    }
  }

  private void sweep(long now) {
    // Connections that were opened while another thread made room.
    if (surplus() > 0) {
      makeRoom();
    }
    uses.forEach(
        (endPoint, use) -> {
          if (use.isOverdue(limits, now) && !hasLeftHttp(endPoint)) {
            log.debug("connection closed, no request in time peer={}", endPoint);
            endPoint.close();
          }
        });
  }
}

package dev.berth.relay.ports;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Closes connections that neither have a request nor send one in time, and connections over the
/// limits ({@link RoomPlan}).
///
/// An idle timeout is not enough: a handshake or a head that arrives byte by byte never lets it
/// expire.
///
/// Jetty calls it from its own threads, and it must not block them: counters are concurrent maps,
/// and only the choice of connections to close takes a lock.
public final class ConnectionGuard extends Handler.Wrapper implements Connection.Listener {
  private static final Logger log = LoggerFactory.getLogger(ConnectionGuard.class);
  private static final Duration LONGEST_PERIOD = Duration.ofSeconds(1);
  private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);
  private static final String KNOWN_USER = ConnectionGuard.class.getName() + ".known";

  private final ConnectionLimits limits;
  private final Map<EndPoint, OpenConnection> open = new ConcurrentHashMap<>();

  /// The number of connections in {@link #open} per address.
  private final Map<String, Integer> byAddress = new ConcurrentHashMap<>();

  private final Thread sweeper;

  /// Held while connections are chosen and closed; guards `warnedAt`.
  private final ReentrantLock makingRoom = new ReentrantLock();

  private long warnedAt = System.nanoTime() - BETWEEN_WARNINGS.toNanos();

  ConnectionGuard(ConnectionLimits limits, Handler handler) {
    super(handler);
    this.limits = limits;
    this.sweeper = Thread.ofVirtual().name("connection-guard").unstarted(this::sweepForEver);
  }

  /// Records that the user of a request is authenticated, which gives its connection precedence.
  public static void noteKnownUser(Request request) {
    request.setAttribute(KNOWN_USER, true);
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
    OpenConnection used = connection == null ? null : open.get(socket(connection.getEndPoint()));
    if (used != null) {
      used.begin();
      Request.addCompletionListener(
          request, _ -> used.end(request.getAttribute(KNOWN_USER) != null, System.nanoTime()));
    }
    return super.handle(request, response, callback);
  }

  private static EndPoint socket(EndPoint endPoint) {
    EndPoint lowest = endPoint;
    while (lowest instanceof EndPoint.Wrapper wrapper) {
      lowest = wrapper.unwrap();
    }
    return lowest;
  }

  /// Jetty calls this for each layer of a connection. Only the lowest layer is a socket.
  @Override
  public void onOpened(Connection connection) {
    EndPoint endPoint = connection.getEndPoint();
    if (endPoint instanceof EndPoint.Wrapper) {
      return;
    }
    OpenConnection opened = new OpenConnection(endPoint, System.nanoTime());
    if (open.put(endPoint, opened) == null) {
      byAddress.merge(opened.address(), 1, Integer::sum);
    }
    if (!endPoint.isOpen()) {
      // The connection closed between two of its layers, and no other call reports it.
      forget(endPoint);
    } else if (isTooMany(opened)) {
      makeRoom(opened);
    }
  }

  private boolean isTooMany(OpenConnection newest) {
    return open.size() > limits.connections()
        || byAddress.getOrDefault(newest.address(), 0) > limits.perAddress();
  }

  private void makeRoom(OpenConnection newest) {
    makingRoom.lock();
    try {
      if (!isTooMany(newest)) {
        // Another thread has made room meanwhile.
        return;
      }
      List<OpenConnection> closed = RoomPlan.toClose(List.copyOf(open.values()), newest, limits);
      if (!closed.isEmpty()) {
        warn(closed);
      }
      for (OpenConnection one : closed) {
        // Closing takes time; a later call must not choose the connection again.
        forget(one.socket());
        one.socket().close();
      }
    } finally {
      makingRoom.unlock();
    }
  }

  private void warn(List<OpenConnection> closed) {
    long now = System.nanoTime();
    if (now - warnedAt >= BETWEEN_WARNINGS.toNanos()) {
      warnedAt = now;
      log.warn(
          "too many connections, closing idle ones address={} ofAddress={} limit={} all={}"
              + " limitOfAll={} (logged once a minute)",
          closed.getFirst().address(),
          byAddress.getOrDefault(closed.getFirst().address(), 0),
          limits.perAddress(),
          open.size(),
          limits.connections());
    }
  }

  @Override
  public void onClosed(Connection connection) {
    forget(connection.getEndPoint());
  }

  private void forget(EndPoint endPoint) {
    OpenConnection removed = open.remove(endPoint);
    if (removed != null) {
      byAddress.computeIfPresent(removed.address(), (_, n) -> n > 1 ? n - 1 : null);
    }
  }

  /// The number of connected clients.
  public int connections() {
    return open.size();
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
      // The server is stopping.
    }
  }

  private void sweep(long now) {
    open.forEach(
        (endPoint, one) -> {
          if (one.isOverdue(limits, now)) {
            log.debug("connection closed, no request in time peer={}", endPoint);
            endPoint.close();
          }
        });
  }
}

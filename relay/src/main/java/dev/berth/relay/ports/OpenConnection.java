package dev.berth.relay.ports;

import dev.berth.relay.UpgradedProtocol;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;

/// One open socket and its current use.
///
/// Several threads write the fields; each is volatile or atomic, and a stale value only closes a
/// connection a moment later.
final class OpenConnection implements ConnectionUse {
  /// A client has at least a /64 network and can use any of its addresses.
  private static final int NETWORK_BYTES = 8;

  private final EndPoint socket;
  private final String address;
  private final AtomicInteger requests = new AtomicInteger();
  private volatile long quietSince;
  private volatile boolean hadRequest;
  private volatile boolean isKnown;

  OpenConnection(EndPoint socket, long now) {
    this.socket = socket;
    this.address =
        socket.getRemoteSocketAddress() instanceof InetSocketAddress remote
                && remote.getAddress() != null
            ? source(remote.getAddress())
            : "";
    this.quietSince = now;
  }

  /// The key of a source. Addresses among which one client can choose have the same key.
  static String source(InetAddress address) {
    if (!(address instanceof Inet6Address)) {
      return address.getHostAddress();
    }
    byte[] network = Arrays.copyOf(address.getAddress(), NETWORK_BYTES);
    try {
      return InetAddress.getByAddress(Arrays.copyOf(network, 2 * NETWORK_BYTES)).getHostAddress()
          + "/64";
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public boolean isIdle() {
    return requests.get() == 0 && !hasLeftHttp();
  }

  @Override
  public boolean isKnown() {
    return isKnown;
  }

  @Override
  public long quietSince() {
    return quietSince;
  }

  EndPoint socket() {
    return socket;
  }

  void begin() {
    hadRequest = true;
    requests.incrementAndGet();
  }

  void end(boolean byKnownUser, long now) {
    isKnown |= byKnownUser;
    quietSince = now;
    requests.decrementAndGet();
  }

  boolean isOverdue(ConnectionLimits limits, long now) {
    Duration limit = hadRequest ? limits.idle().plus(limits.header()) : limits.header();
    return now - quietSince > limit.toNanos() && isIdle();
  }

  private boolean hasLeftHttp() {
    return socket.getConnection() instanceof SslConnection tls
        && tls.getSslEndPoint().getConnection() instanceof UpgradedProtocol;
  }
}

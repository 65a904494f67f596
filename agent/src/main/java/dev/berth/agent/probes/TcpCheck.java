package dev.berth.agent.probes;

import dev.berth.agent.probes.ProbeResult.Failure;
import dev.berth.agent.probes.ProbeResult.Success;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;

/// Opens a connection: an accepted one is success.
final class TcpCheck {
  private TcpCheck() {}

  static ProbeResult make(ProbeTarget target, Duration limit) {
    try (var socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(target.host(), target.port()), Math.toIntExact(limit.toMillis()));
      return new Success();
    } catch (IOException e) {
      return new Failure("dial tcp %s: %s".formatted(target.authority(), reason(e)));
    }
  }

  private static String reason(IOException e) {
    return switch (e) {
      case SocketTimeoutException _ -> "i/o timeout";
      case NoRouteToHostException _ -> "connect: no route to host";
      case ConnectException _ -> "connect: connection refused";
      default -> e.toString();
    };
  }
}

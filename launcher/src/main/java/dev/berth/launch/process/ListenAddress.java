package dev.berth.launch.process;

import dev.berth.api.Problem;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.Optional;

/// The address on which a server is about to listen, and the refusal if the address is in use.
///
/// @param flag the flag that sets the port
/// @param holders finds the process that holds a port
public record ListenAddress(InetAddress address, int port, String flag, PortHolder holders) {
  /// Binds the port for a moment before anything is started, so that a port in use is reported at
  /// once.
  public void requireFree() {
    try (ServerSocket socket = new ServerSocket()) {
      // As the server does: connections of an earlier run in TIME_WAIT do not prevent the bind.
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(address, port));
    } catch (IOException e) {
      throw refusal(e);
    }
  }

  /// Whether the failure is that another process bound the port meanwhile.
  public boolean isCauseOf(Exception failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof BindException) {
        return true;
      }
    }
    return false;
  }

  public LaunchException refusal(IOException failure) {
    return new LaunchException(problem(failure), failure);
  }

  private Problem problem(IOException cause) {
    String what = "cannot listen on " + address.getHostAddress() + " port " + port;
    // An address of another machine cannot be bound, whoever holds the port here.
    return (isCauseOf(cause) && isOfThisMachine()
            ? holders.describe(address, port)
            : Optional.<String>empty())
        .map(
            holder ->
                new Problem(
                    what,
                    holder + " holds the port",
                    "Stop that process, or choose another port with %s (0 takes any free one)"
                        .formatted(flag)))
        .orElseGet(
            () ->
                new Problem(
                    what,
                    String.valueOf(cause.getMessage()),
                    "Choose an address of this machine with %s and a port from 1024 with %s"
                        .formatted(addressFlag(), flag)));
  }

  private boolean isOfThisMachine() {
    try {
      return address.isAnyLocalAddress()
          || address.isLoopbackAddress()
          || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException _) {
      return false;
    }
  }

  private String addressFlag() {
    return switch (flag) {
      case "--secure-port" -> "--bind-address";
      case "--healthz-port" -> "--healthz-bind-address";
      default -> "--node-ip";
    };
  }
}

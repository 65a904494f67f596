package dev.berth.launch.process;

import dev.berth.api.Problem;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Optional;

/// Where the server is about to listen, and why it perhaps cannot.
///
/// @param flag that by which another port is chosen
public record ListenAddress(InetAddress address, int port, String flag, PortHolder holders) {
  /// Tries the port before anything else is started, so that a taken one is told at once.
  public void requireFree() {
    try (ServerSocket socket = new ServerSocket()) {
      // As the server does it: connections of an earlier run that linger are no obstacle.
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(address, port));
    } catch (IOException e) {
      throw refusal(e);
    }
  }

  /// Whether somebody took the port meanwhile.
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

  private static boolean isInUse(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof BindException && String.valueOf(cause.getMessage()).contains("in use")) {
        return true;
      }
    }
    return false;
  }

  private Problem problem(IOException cause) {
    String what = "cannot listen on " + address.getHostAddress() + " port " + port;
    return (isInUse(cause) ? holders.describe(address, port) : Optional.<String>empty())
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

  private String addressFlag() {
    return flag.equals("--secure-port") ? "--bind-address" : "--node-ip";
  }
}

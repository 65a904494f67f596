package dev.berth.launch.process;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// `/healthz` over HTTP, as a kubelet serves it at its `healthzPort`: whoever starts a node waits
/// for it, such as `kubeadm join`.
public final class HealthzListener implements AutoCloseable {
  private static final byte[] OK = "ok".getBytes(StandardCharsets.US_ASCII);

  private final HttpServer server;

  private HealthzListener(HttpServer server) {
    this.server = server;
  }

  /// Starts to answer.
  ///
  /// @throws LaunchException when the address cannot be used
  public static HealthzListener start(InetSocketAddress address) {
    try {
      HttpServer server = HttpServer.create(address, 0);
      server.createContext("/", HealthzListener::answer);
      server.start();
      return new HealthzListener(server);
    } catch (IOException e) {
      throw new ListenAddress(
              address.getAddress(),
              address.getPort(),
              "--healthz-port",
              new PortHolder(Path.of("/proc")))
          .refusal(e);
    }
  }

  private static void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean known = exchange.getRequestURI().getPath().equals("/healthz");
      exchange.sendResponseHeaders(known ? 200 : 404, known ? OK.length : -1);
      if (known) {
        exchange.getResponseBody().write(OK);
      }
    }
  }

  public InetSocketAddress address() {
    return server.getAddress();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

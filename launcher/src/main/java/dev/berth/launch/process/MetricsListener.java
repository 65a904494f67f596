package dev.berth.launch.process;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// `/metrics` on the loopback interface, for processes that have no API server. There is no
/// authentication: every user of the machine can read it, so that no metric may have a secret.
public final class MetricsListener implements AutoCloseable {
  private final HttpServer server;

  private MetricsListener(HttpServer server) {
    this.server = server;
  }

  public static MetricsListener start(int port, PrometheusRegistry registry) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext("/metrics", exchange -> answer(exchange, registry));
    server.start();
    return new MetricsListener(server);
  }

  private static void answer(HttpExchange exchange, PrometheusRegistry registry)
      throws IOException {
    PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writer.write(out, registry.scrape());
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", writer.getContentType());
      exchange.sendResponseHeaders(200, out.size());
      out.writeTo(exchange.getResponseBody());
    }
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/metrics";
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

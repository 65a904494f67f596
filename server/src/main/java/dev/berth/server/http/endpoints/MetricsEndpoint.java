package dev.berth.server.http.endpoints;

import dev.berth.server.errors.ApiException;
import dev.berth.server.http.transport.ServerExchange;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;

/// Serves `/metrics` in Prometheus' text format.
///
/// RBAC decides who may read metrics. The text is made in memory first, so a slow reader does not
/// hold up the registry.
public final class MetricsEndpoint {
  private final PrometheusRegistry registry;
  private final ExpositionFormatWriter writer = PrometheusTextFormatWriter.create();

  public MetricsEndpoint(PrometheusRegistry registry) {
    this.registry = registry;
  }

  void serve(ServerExchange exchange, List<String> parts) throws IOException {
    if (parts.size() > 1) {
      NonResourcePaths.notFound(exchange);
      return;
    }
    if (exchange.method().equals("DELETE")) {
      // Upstream resets its metrics on DELETE. Berth's counters never go back, so DELETE is
      // refused.
      throw ApiException.methodNotAllowed();
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(32 << 10);
    writer.write(out, registry.scrape());
    exchange.send(200, writer.getContentType(), out.toByteArray());
  }
}

package dev.berth.server.http;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/// `/metrics` in Prometheus' text format.
final class MetricsEndpoint {
  private final PrometheusRegistry registry;
  private final ExpositionFormatWriter writer = PrometheusTextFormatWriter.create();

  MetricsEndpoint(PrometheusRegistry registry) {
    this.registry = registry;
  }

  void serve(Exchange exchange) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(32 << 10);
    writer.write(out, registry.scrape());
    exchange.send(200, writer.getContentType(), out.toByteArray());
  }
}

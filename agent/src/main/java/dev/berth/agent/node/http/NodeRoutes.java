package dev.berth.agent.node.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.agent.node.usage.NodeUsage;
import dev.berth.agent.streams.PodDirectory;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.function.Supplier;

/// What the node tells about itself and its pods as a whole.
final class NodeRoutes {
  private static final JsonMapper MAPPER = new JsonMapper();

  private final PodDirectory pods;
  private final PrometheusRegistry metrics;
  private final Supplier<NodeUsage> usage;

  NodeRoutes(PodDirectory pods, PrometheusRegistry metrics, Supplier<NodeUsage> usage) {
    this.pods = pods;
    this.metrics = metrics;
    this.usage = usage;
  }

  void serve(Incoming incoming) throws IOException {
    switch (incoming.path().replaceFirst("/$", "")) {
      case "/healthz", "/livez", "/readyz" -> incoming.sendText(200, "ok");
      case "/pods" -> incoming.sendJson(podList());
      case "/metrics" -> incoming.send(200, PrometheusTextFormatWriter.CONTENT_TYPE, metrics());
      case "/metrics/resource" ->
          incoming.send(
              200, PrometheusTextFormatWriter.CONTENT_TYPE, usage.get().resourceMetrics());
      case "/stats/summary" -> incoming.sendJson(usage.get().summary());
      default -> throw new HttpFailure(404, "404 page not found");
    }
  }

  private byte[] podList() throws JsonProcessingException {
    return MAPPER.writeValueAsBytes(
        new PodListBuilder().withNewMetadata().endMetadata().withItems(pods.pods()).build());
  }

  private byte[] metrics() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.create().write(out, metrics.scrape());
    return out.toByteArray();
  }
}

package dev.berth.agent.node.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/// What the node tells about itself and its pods as a whole.
final class NodeRoutes {
  private static final JsonMapper MAPPER = new JsonMapper();

  private final NodeServer.Contents contents;

  NodeRoutes(NodeServer.Contents contents) {
    this.contents = contents;
  }

  void serve(Incoming incoming) throws IOException {
    switch (incoming.path().replaceFirst("/$", "")) {
      case "/healthz", "/livez", "/readyz" -> incoming.sendText(200, "ok");
      case "/pods" -> incoming.sendJson(podList());
      case "/metrics" -> incoming.send(200, PrometheusTextFormatWriter.CONTENT_TYPE, metrics());
      case "/metrics/resource" ->
          incoming.send(
              200,
              PrometheusTextFormatWriter.CONTENT_TYPE,
              contents.usage().get().resourceMetrics());
      case "/stats/summary" -> incoming.sendJson(contents.summary().get());
      default -> throw new HttpFailure(404, "404 page not found");
    }
  }

  private byte[] podList() throws JsonProcessingException {
    return MAPPER.writeValueAsBytes(
        new PodListBuilder()
            .withNewMetadata()
            .endMetadata()
            .withItems(contents.pods().pods())
            .build());
  }

  private byte[] metrics() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.create().write(out, contents.metrics().scrape());
    return out.toByteArray();
  }
}

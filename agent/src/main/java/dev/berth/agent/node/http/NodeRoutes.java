package dev.berth.agent.node.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Routes about the node and its pods as a whole.
final class NodeRoutes {
  private static final JsonMapper MAPPER = new JsonMapper();

  private final NodeServer.Contents contents;
  private final LogDirectory logs = new LogDirectory(Path.of("/var/log"));

  NodeRoutes(NodeServer.Contents contents) {
    this.contents = contents;
  }

  void serve(NodeRequest incoming) throws IOException {
    if (incoming.segments().getFirst().equals("logs")) {
      logs.serve(incoming);
      return;
    }
    switch (incoming.path().replaceFirst("/$", "")) {
      case "/healthz", "/healthz/ping", "/healthz/log", "/healthz/syncloop", "/livez", "/readyz" ->
          incoming.sendText(200, "ok");
      case "/pods" -> incoming.sendJson(podList(contents.pods().pods()));
      case "/runningpods" -> incoming.sendJson(podList(RunningPods.of(contents.pods().pods())));
      case "/configz" -> incoming.sendJson(contents.settings().get());
      case "/metrics/cadvisor" ->
          incoming.send(200, PrometheusTextFormatWriter.CONTENT_TYPE, contents.containers().get());
      case "/metrics/probes" ->
          incoming.send(200, PrometheusTextFormatWriter.CONTENT_TYPE, contents.probes().get());
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

  /// `items` is present even when empty: not every reader accepts its absence.
  static byte[] podList(List<Pod> pods) throws JsonProcessingException {
    ObjectNode list = MAPPER.createObjectNode().put("kind", "PodList").put("apiVersion", "v1");
    list.putObject("metadata");
    list.set("items", MAPPER.valueToTree(pods));
    return MAPPER.writeValueAsBytes(list);
  }

  private byte[] metrics() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.create().write(out, contents.metrics().scrape());
    return out.toByteArray();
  }
}

package dev.berth.server.metricsapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.kinds.MetricKind;
import dev.berth.server.metricsapi.MeasuredUsage.Amount;
import dev.berth.server.metricsapi.NodeSample.ContainerName;
import dev.berth.server.resources.objects.StoredObject;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Builds the objects of `metrics.k8s.io`.
///
/// Units are those of metrics-server: CPU in billionths of a processor, memory in KiB.
final class MetricsObjects {
  private MetricsObjects() {}

  /// Empty when the node reports nothing about itself.
  static Optional<ObjectNode> node(StoredObject node, MeasuredUsage usage) {
    return usage
        .node()
        .map(
            amount -> {
              ObjectNode object = object(MetricKind.NODES, node, usage);
              object.set("usage", usage(amount));
              return object;
            });
  }

  /// Empty when none of its containers has been measured yet.
  static Optional<ObjectNode> pod(StoredObject pod, MeasuredUsage usage) {
    List<Map.Entry<ContainerName, Amount>> own =
        usage.containers().entrySet().stream()
            .filter(
                entry ->
                    entry.getKey().namespace().equals(pod.namespace())
                        && entry.getKey().pod().equals(pod.name()))
            .sorted(Comparator.comparing(entry -> entry.getKey().container()))
            .toList();
    if (own.isEmpty()) {
      return Optional.empty();
    }
    ObjectNode object = object(MetricKind.PODS, pod, usage);
    ArrayNode containers = object.putArray("containers");
    own.forEach(
        entry ->
            containers
                .addObject()
                .put("name", entry.getKey().container())
                .set("usage", usage(entry.getValue())));
    return Optional.of(object);
  }

  static ObjectNode list(MetricKind kind, List<ObjectNode> items) {
    ObjectNode list =
        JsonTrees.object().put("kind", kind.kind() + "List").put("apiVersion", kind.apiVersion());
    list.putObject("metadata");
    list.putArray("items").addAll(items);
    return list;
  }

  private static ObjectNode object(MetricKind kind, StoredObject about, MeasuredUsage usage) {
    String time = usage.time().truncatedTo(ChronoUnit.SECONDS).toString();
    ObjectNode object =
        JsonTrees.object().put("kind", kind.kind()).put("apiVersion", kind.apiVersion());
    ObjectNode metadata = object.putObject("metadata").put("name", about.name());
    if (kind.namespaced()) {
      metadata.put("namespace", about.namespace());
    }
    metadata.put("creationTimestamp", time);
    if (!about.labels().isEmpty()) {
      ObjectNode labels = metadata.putObject("labels");
      about.labels().forEach(labels::put);
    }
    return object.put("timestamp", time).put("window", text(usage.window()));
  }

  private static ObjectNode usage(Amount amount) {
    return JsonTrees.object()
        .put("cpu", amount.nanoCores() + "n")
        .put("memory", amount.memory() / 1024 + "Ki");
  }

  /// Go's form of a duration.
  static String text(Duration window) {
    String seconds =
        BigDecimal.valueOf(window.toMillis() % 60_000, 3).stripTrailingZeros().toPlainString();
    long minutes = window.toMinutes();
    return minutes == 0 ? seconds + "s" : minutes + "m" + seconds + "s";
  }
}

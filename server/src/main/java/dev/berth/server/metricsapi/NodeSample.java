package dev.berth.server.metricsapi;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A scrape of a node's `/metrics/resource`, in Prometheus' text format. Lines that are not
/// understood are skipped, because nodes of other versions report more.
record NodeSample(Instant time, Counters node, Map<ContainerName, Counters> containers) {
  private static final Pattern LINE =
      Pattern.compile("(\\w+)(?:\\{([^}]*)\\})?[ \\t]+([^ \\t]+)(?:[ \\t]+(\\d{1,18}))?");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

  NodeSample {
    containers = Map.copyOf(containers);
  }

  /// @param cpu CPU seconds since its start; NaN when not reported
  /// @param memory working set in bytes; NaN when not reported
  record Counters(double cpu, double memory) {
    private static final Counters NONE = new Counters(Double.NaN, Double.NaN);

    private boolean isWhole() {
      return !Double.isNaN(cpu) && !Double.isNaN(memory);
    }

    private Counters withCpu(double value) {
      return new Counters(value, memory);
    }

    private Counters withMemory(double value) {
      return new Counters(cpu, value);
    }
  }

  record ContainerName(String namespace, String pod, String container) {}

  /// A container counts only if both CPU and memory were reported.
  ///
  /// @param asked the time of the scrape, for lines without a timestamp
  static NodeSample parse(String text, Instant asked) {
    Instant time = asked;
    Counters node = Counters.NONE;
    Map<ContainerName, Counters> containers = new HashMap<>();
    for (String line : text.split("\n", -1)) {
      Matcher parts = LINE.matcher(line);
      if (!parts.matches()) {
        continue;
      }
      double value = number(parts.group(3));
      Map<String, String> labels = labels(parts.group(2) == null ? "" : parts.group(2));
      switch (parts.group(1)) {
        case "node_cpu_usage_seconds_total" -> {
          node = node.withCpu(value);
          if (parts.group(4) != null) {
            time = Instant.ofEpochMilli(Long.parseLong(parts.group(4)));
          }
        }
        case "node_memory_working_set_bytes" -> node = node.withMemory(value);
        case "container_cpu_usage_seconds_total" ->
            containers.merge(
                name(labels), Counters.NONE.withCpu(value), (a, b) -> a.withCpu(b.cpu));
        case "container_memory_working_set_bytes" ->
            containers.merge(
                name(labels), Counters.NONE.withMemory(value), (a, b) -> a.withMemory(b.memory));
        default -> {}
      }
    }
    containers.values().removeIf(counters -> !counters.isWhole());
    return new NodeSample(time, node, containers);
  }

  private static ContainerName name(Map<String, String> labels) {
    return new ContainerName(
        labels.getOrDefault("namespace", ""),
        labels.getOrDefault("pod", ""),
        labels.getOrDefault("container", ""));
  }

  private static Map<String, String> labels(String text) {
    Map<String, String> labels = new HashMap<>();
    Matcher label = LABEL.matcher(text);
    while (label.find()) {
      labels.put(label.group(1), label.group(2));
    }
    return labels;
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException _) {
      return Double.NaN;
    }
  }
}

package dev.berth.agent.usage;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Writes `/metrics/resource` in Prometheus' text format, each metric family together.
public final class ResourceText {
  private final long millis;
  private final Map<String, StringBuilder> families = new LinkedHashMap<>();

  public ResourceText(Instant time) {
    this.millis = time.toEpochMilli();
  }

  /// Adds processor time and memory of one subject.
  void pair(String what, ResourceUsage use, String labels) {
    add(what + "_cpu_usage_seconds_total", "counter", labels, use.cpu() / 1e9);
    add(what + "_memory_working_set_bytes", "gauge", labels, (double) use.memory());
  }

  /// Adds the start time of a container.
  public void start(Instant time, String labels) {
    add("container_start_time_seconds", "gauge", labels, time.toEpochMilli() / 1e3);
  }

  public void add(String name, String type, String labels, double value) {
    String number =
        value == Math.rint(value)
            ? Long.toString((long) value)
            : String.format(Locale.ROOT, "%.9f", value);
    families
        .computeIfAbsent(name, _ -> new StringBuilder("# TYPE " + name + " " + type + "\n"))
        .append(name)
        .append(labels.isEmpty() ? "" : "{" + labels + "}")
        .append(' ')
        .append(number)
        .append(' ')
        .append(millis)
        .append('\n');
  }

  public String end(boolean incomplete) {
    StringBuilder all = new StringBuilder();
    families.values().forEach(all::append);
    // The second name was used until Kubernetes 1.29.
    for (String name : List.of("resource_scrape_error", "scrape_error")) {
      all.append("# TYPE %1$s gauge\n%1$s %2$d\n".formatted(name, incomplete ? 1 : 0));
    }
    return all.toString();
  }
}

package dev.berth.launch.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.List;

/// The same pod under several classes as a table: its kernel, how long it took to start, and the
/// memory that it uses.
record ComparedPods(KubectlRunner kubectl, StartTimes times) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long MEBIBYTE = 1 << 20;
  private static final String ROW = "  %-12s %-28s %-10s %s%n";

  String table(List<DemoPod> pods) throws InterruptedException {
    StringBuilder table = new StringBuilder();
    table.append(ROW.formatted("CLASS", "KERNEL (uname -r)", "STARTED", "MEMORY"));
    for (DemoPod pod : pods) {
      table.append(
          ROW.formatted(
              pod.runtimeClass().isEmpty() ? "(default)" : pod.runtimeClass(),
              kernel(pod),
              times.of(pod.name()).map(ComparedPods::seconds).orElse("-"),
              memory(pod)));
    }
    return table.toString();
  }

  static String seconds(Duration time) {
    return "%.2f s".formatted(time.toMillis() / 1000.0);
  }

  private String kernel(DemoPod pod) throws InterruptedException {
    return orDash(
        kubectl.output("-n", DemoPod.NAMESPACE, "exec", pod.name(), "--", "uname", "-r").strip());
  }

  private String memory(DemoPod pod) throws InterruptedException {
    String node =
        kubectl
            .output(
                "-n",
                DemoPod.NAMESPACE,
                "get",
                "pod",
                pod.name(),
                "-o",
                "jsonpath={.spec.nodeName}")
            .strip();
    return memory(
        kubectl.output("get", "--raw", "/api/v1/nodes/" + node + "/proxy/stats/summary"),
        pod.name());
  }

  /// The memory of a pod with its sandbox, in the summary of its node.
  static String memory(String summary, String pod) {
    try {
      for (JsonNode one : JSON.readTree(summary).path("pods")) {
        JsonNode used = one.at("/memory/workingSetBytes");
        if (one.at("/podRef/name").asText().equals(pod)
            && one.at("/podRef/namespace").asText().equals(DemoPod.NAMESPACE)
            && used.isNumber()) {
          return "%.1f MiB".formatted((double) used.asLong() / MEBIBYTE);
        }
      }
    } catch (JsonProcessingException _) {
      // The node does not answer.
    }
    return "-";
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }
}

package dev.berth.server.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.ContainerView;
import dev.berth.api.pods.PodPhase;
import java.util.HashSet;
import java.util.Set;

/// Summarizes the container states of a pod like `kubectl get pods`.
///
/// @param total containers and sidecars
/// @param lastRestart when a counted container ended last, RFC 3339, or empty
record PodSummary(int ready, int total, String status, int restarts, String lastRestart) {

  static PodSummary of(ObjectNode pod) {
    return new Walk(pod).summary();
  }

  /// Restarts of a set of containers and the end of the latest one before its restart.
  private static final class Restarts {
    private int count;
    // RFC 3339 times in UTC without fractions sort as text.
    private String last = "";

    void add(JsonNode containerStatus) {
      count += TableCells.number(containerStatus, "restartCount");
      String finished = TableCells.text(containerStatus, "lastState", "terminated", "finishedAt");
      last = finished.compareTo(last) > 0 ? finished : last;
    }
  }

  /// Walks once over the statuses: init containers in order up to the first that is not done, then
  /// containers from last to first, so that the first one's reason wins.
  ///
  /// The rules and their order are those of upstream's printer; users know the words and scripts
  /// compare them.
  private static final class Walk {
    private final ObjectNode pod;
    private final Set<String> sidecars = new HashSet<>();
    private final Restarts initRestarts = new Restarts();
    private final Restarts runRestarts = new Restarts();
    private int ready;
    private String reason;

    Walk(ObjectNode pod) {
      this.pod = pod;
      this.reason =
          TableCells.textOr(TableCells.text(pod, "status", "phase"), pod, "status", "reason");
      for (JsonNode container : TableCells.at(pod, "spec", "initContainers")) {
        if (ContainerView.isSidecar(container)) {
          sidecars.add(TableCells.text(container, "name"));
        }
      }
    }

    PodSummary summary() {
      for (JsonNode condition : TableCells.at(pod, "status", "conditions")) {
        if (TableCells.text(condition, "type").equals("PodScheduled")
            && TableCells.text(condition, "reason").equals("SchedulingGated")) {
          reason = "SchedulingGated";
        }
      }
      boolean initializing = walkInitContainers();
      // A pod that was initialized once shows its containers, even if an init container runs again.
      boolean running = !initializing || TableCells.condition(pod, "Initialized");
      if (running) {
        walkContainers();
      }
      Restarts restarts = running ? runRestarts : initRestarts;
      int total = TableCells.at(pod, "spec", "containers").size() + sidecars.size();
      return new PodSummary(ready, total, finalStatus(), restarts.count, restarts.last);
    }

    /// Whether an init container still has to end or to start.
    private boolean walkInitContainers() {
      JsonNode statuses = TableCells.at(pod, "status", "initContainerStatuses");
      for (int i = 0; i < statuses.size(); i++) {
        JsonNode status = statuses.get(i);
        boolean sidecar = sidecars.contains(TableCells.text(status, "name"));
        initRestarts.add(status);
        if (sidecar) {
          runRestarts.add(status);
        }
        JsonNode terminated = TableCells.at(status, "state", "terminated");
        if (terminated.isObject() && TableCells.number(terminated, "exitCode") == 0) {
          continue;
        }
        if (sidecar && status.path("started").asBoolean()) {
          ready += status.path("ready").asBoolean() ? 1 : 0;
          continue;
        }
        reason = "Init:" + initReason(i, status);
        return true;
      }
      return false;
    }

    private String initReason(int index, JsonNode status) {
      JsonNode terminated = TableCells.at(status, "state", "terminated");
      if (terminated.isObject()) {
        return ended(terminated);
      }
      String waiting = TableCells.text(status, "state", "waiting", "reason");
      return waiting.isEmpty() || waiting.equals("PodInitializing")
          ? index + "/" + TableCells.at(pod, "spec", "initContainers").size()
          : waiting;
    }

    private void walkContainers() {
      JsonNode statuses = TableCells.at(pod, "status", "containerStatuses");
      boolean someRun = false;
      for (int i = statuses.size() - 1; i >= 0; i--) {
        JsonNode status = statuses.get(i);
        runRestarts.add(status);
        String waiting = TableCells.text(status, "state", "waiting", "reason");
        JsonNode terminated = TableCells.at(status, "state", "terminated");
        if (!waiting.isEmpty()) {
          reason = waiting;
        } else if (terminated.isObject()) {
          reason = ended(terminated);
        } else if (status.path("ready").asBoolean()
            && TableCells.at(status, "state", "running").isObject()) {
          someRun = true;
          ready++;
        }
      }
      // One container has ended and others still run.
      if (reason.equals("Completed") && someRun) {
        reason = TableCells.condition(pod, "Ready") ? "Running" : "NotReady";
      }
    }

    /// A runtime that reports no reason leaves signal or exit code.
    private static String ended(JsonNode terminated) {
      String reason = TableCells.text(terminated, "reason");
      int signal = TableCells.number(terminated, "signal");
      if (!reason.isEmpty()) {
        return reason;
      }
      return signal != 0
          ? "Signal:" + signal
          : "ExitCode:" + TableCells.number(terminated, "exitCode");
    }

    /// A pod under deletion shows Terminating until its containers have ended.
    private String finalStatus() {
      if (TableCells.text(pod, "metadata", "deletionTimestamp").isEmpty()) {
        return reason;
      } else if (TableCells.text(pod, "status", "reason").equals("NodeLost")) {
        return "Unknown";
      }
      String phase = TableCells.text(pod, "status", "phase");
      return PodPhase.isFinished(phase) ? reason : "Terminating";
    }
  }
}

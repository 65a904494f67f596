package dev.berth.agent.pods.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/// Containers of an ended pod that never started: their status must not say that they are being
/// created.
record NeverStarted(StatusFacts facts, List<ObjectNode> init, List<ObjectNode> main) {
  /// 128 + SIGKILL, as the kubelet reports containers that it lost.
  static final int EXIT_CODE = 137;

  static final String REASON = "ContainerStatusUnknown";
  static final String MESSAGE = "The container could not be located when the pod was terminated";

  /// Whether the pod was rejected before its containers had a status.
  boolean isAll() {
    return facts.observed().isEmpty()
        && List.of("initContainerStatuses", "containerStatuses").stream()
            .noneMatch(field -> facts.before().has(field));
  }

  /// Marks containers whose turn had come as terminated with an unknown exit.
  void end() {
    if (isInitialized()) {
      main.forEach(NeverStarted::end);
    }
    init.stream().limit(begun()).forEach(NeverStarted::end);
  }

  private boolean isInitialized() {
    return main.stream().anyMatch(NeverStarted::hasRun)
        || init.stream()
            .allMatch(
                one ->
                    one.path("started").asBoolean()
                        || one.at("/state/terminated/exitCode").asInt(-1) == 0);
  }

  /// The number of init containers that were reached, at least one.
  private int begun() {
    int last = init.size();
    while (last > 1 && !hasRun(init.get(last - 1))) {
      last--;
    }
    return last;
  }

  private static boolean hasRun(JsonNode status) {
    return !status.path("state").has("waiting") || status.path("lastState").has("terminated");
  }

  private static void end(ObjectNode status) {
    if (status.path("state").has("waiting")) {
      ObjectNode terminated = status.putObject("state").putObject("terminated");
      terminated.put("exitCode", EXIT_CODE);
      terminated.putNull("finishedAt");
      terminated.put("message", MESSAGE);
      terminated.put("reason", REASON);
      terminated.putNull("startedAt");
    }
  }
}

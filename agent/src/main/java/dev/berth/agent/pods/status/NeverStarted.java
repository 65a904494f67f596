package dev.berth.agent.pods.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/// The containers of a pod that is over which nobody saw start: users must not read that they are
/// still being made.
record NeverStarted(StatusFacts facts, List<ObjectNode> init, List<ObjectNode> main) {
  static final int EXIT_CODE = 137;
  static final String REASON = "ContainerStatusUnknown";
  static final String MESSAGE = "The container could not be located when the pod was terminated";

  /// Whether the pod was refused before anything was said of its containers.
  boolean isAll() {
    return facts.observed().isEmpty()
        && List.of("initContainerStatuses", "containerStatuses").stream()
            .noneMatch(field -> facts.before().has(field));
  }

  /// Says of those whose turn had come that they ended, nobody knows how.
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

  /// How many init containers were reached: at least the first was about to start.
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

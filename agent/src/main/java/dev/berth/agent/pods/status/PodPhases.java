package dev.berth.agent.pods.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.plan.ContainerRules;
import dev.berth.agent.pods.plan.RestartCounts;
import io.fabric8.kubernetes.api.model.Container;
import java.util.List;
import java.util.Set;

/// Where a pod is in its life, in one word.
record PodPhases(StatusFacts facts, List<ObjectNode> init, List<ObjectNode> main) {
  static final String PENDING = "Pending";
  static final String RUNNING = "Running";
  static final String SUCCEEDED = "Succeeded";
  static final String FAILED = "Failed";

  /// A pod that has ended never comes back.
  static boolean isOver(String phase) {
    return Set.of(SUCCEEDED, FAILED).contains(phase);
  }

  String phase() {
    String before = facts.before().path("phase").asText();
    if (isOver(before)) {
      return before;
    }
    if (facts.fate() != null) {
      return FAILED;
    }
    String policy = ContainerRules.restartPolicy(facts.pod());
    if (hasFailedInit() && policy.equals("Never")) {
      return FAILED;
    }
    long running = main.stream().filter(PodPhases::isRunning).count();
    List<ObjectNode> ended = main.stream().filter(PodPhases::hasEnded).toList();
    // A pod without containers has nothing that could succeed.
    if (main.isEmpty() || running + ended.size() < main.size() || isInitializing()) {
      return facts.isStopping() && running == 0 ? endedEarly(ended) : PENDING;
    }
    if (running > 0) {
      return RUNNING;
    }
    return ended(policy, ended);
  }

  private String ended(String policy, List<ObjectNode> ended) {
    boolean allWell = ended.stream().allMatch(one -> exitCode(one) == 0);
    if (facts.isStopping()) {
      return facts.observed().runsAnything() ? RUNNING : allWell ? SUCCEEDED : FAILED;
    }
    if (policy.equals("Always") || goesOn()) {
      return RUNNING;
    }
    if (allWell) {
      return SUCCEEDED;
    }
    return policy.equals("Never") ? FAILED : RUNNING;
  }

  /// Whether what ended has a successor or, as its definition changed, is about to have one.
  private boolean goesOn() {
    RestartCounts restartCounts = RestartCounts.after(facts.before());
    return facts.pod().getSpec().getContainers().stream()
        .anyMatch(
            container -> {
              ObservedContainer newest = facts.observed().newest(container.getName());
              return newest != null
                  && (!newest.hasExited() || restartCounts.includes(container, newest));
            });
  }

  /// Stopped before all of it was up.
  private String endedEarly(List<ObjectNode> ended) {
    return ended.isEmpty()
            && facts.observed().isEmpty()
            && facts.before().path("phase").isMissingNode()
        ? PENDING
        : facts.observed().runsAnything() ? PENDING : FAILED;
  }

  private boolean hasFailedInit() {
    List<Container> containers = facts.pod().getSpec().getInitContainers();
    for (int i = 0; i < init.size(); i++) {
      if (!ContainerRules.isSidecar(containers.get(i))
          && init.get(i).path("state").has("terminated")
          && exitCode(init.get(i)) != 0) {
        return true;
      }
    }
    return false;
  }

  private boolean isInitializing() {
    return main.stream().noneMatch(one -> one.has("containerID")) && !init.isEmpty();
  }

  private static boolean isRunning(JsonNode status) {
    return status.path("state").has("running");
  }

  private static boolean hasEnded(JsonNode status) {
    return status.path("state").has("terminated")
        || (status.path("state").has("waiting") && status.path("lastState").has("terminated"));
  }

  private static int exitCode(JsonNode status) {
    JsonNode state = status.path("state").path("terminated");
    JsonNode last = status.path("lastState").path("terminated");
    return (state.isObject() ? state : last).path("exitCode").asInt();
  }
}

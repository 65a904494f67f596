package dev.berth.agent.pods.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.plan.ContainerRules;
import dev.berth.agent.pods.plan.RestartCounts;
import dev.berth.api.pods.ContainerView;
import dev.berth.api.pods.PodPhase;
import io.fabric8.kubernetes.api.model.Container;
import java.util.List;

/// Computes the phase of a pod.
record PodPhases(StatusFacts facts, List<ObjectNode> init, List<ObjectNode> main) {
  String phase() {
    String before = facts.before().path("phase").asText();
    if (PodPhase.isFinished(before)) {
      return before;
    }
    if (facts.podFailure() != null) {
      return PodPhase.FAILED;
    }
    String policy = ContainerRules.restartPolicy(facts.pod());
    if (hasFailedInit() && policy.equals("Never")) {
      return PodPhase.FAILED;
    }
    long running = main.stream().filter(PodPhases::isRunning).count();
    List<ObjectNode> ended = main.stream().filter(PodPhases::hasEnded).toList();
    // A pod without container statuses cannot succeed.
    if (main.isEmpty() || running + ended.size() < main.size() || isInitializing()) {
      return facts.isStopping() && running == 0 ? endedEarly(ended) : PodPhase.PENDING;
    }
    if (running > 0) {
      return PodPhase.RUNNING;
    }
    return ended(policy, ended);
  }

  private String ended(String policy, List<ObjectNode> ended) {
    boolean allWell = ended.stream().allMatch(one -> exitCode(one) == 0);
    if (facts.isStopping()) {
      return facts.observed().runsAnything()
          ? PodPhase.RUNNING
          : allWell ? PodPhase.SUCCEEDED : PodPhase.FAILED;
    }
    if (policy.equals("Always") || goesOn()) {
      return PodPhase.RUNNING;
    }
    if (allWell) {
      return PodPhase.SUCCEEDED;
    }
    return policy.equals("Never") ? PodPhase.FAILED : PodPhase.RUNNING;
  }

  /// Whether an ended container has a successor, or is about to have one because its definition
  /// changed.
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

  /// The phase of a pod that was stopped before all containers ran.
  private String endedEarly(List<ObjectNode> ended) {
    return ended.isEmpty()
            && facts.observed().isEmpty()
            && facts.before().path("phase").isMissingNode()
        ? PodPhase.PENDING
        : facts.observed().runsAnything() ? PodPhase.PENDING : PodPhase.FAILED;
  }

  private boolean hasFailedInit() {
    List<Container> containers = facts.pod().getSpec().getInitContainers();
    for (int i = 0; i < init.size(); i++) {
      if (!ContainerView.isSidecar(containers.get(i))
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

package dev.berth.agent.pods.plan;

import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.observed.ObservedContainer.State;
import dev.berth.agent.pods.observed.ObservedPod;
import dev.berth.agent.pods.observed.ObservedSandbox;
import dev.berth.agent.probes.ProbeWorkers.Verdict;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Pods, what is there of them, and plans, in a few words.
///
/// Containers are written `name=state`, a state being `new`, `running`, `cut` when its start was,
/// `void` when its sandbox is none, or the code it exited with.
final class PlanWords {
  private static final String NO_SANDBOX =
      "unable to create new parent process: namespace path: lstat /proc/0/ns/ipc:"
          + " no such file or directory: unknown";

  static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  static final RestartCounts ALL = RestartCounts.OF_ALL;
  static final DesiredState RUN = new DesiredState.Run();
  static final GracePeriod GRACE = new GracePeriod(Duration.ofSeconds(7), NOW);

  private PlanWords() {}

  static PlanInput pulled(Set<String> containers) {
    return memory(containers, Map.of(), Map.of(), Map.of());
  }

  static PlanInput busy(Set<String> pulled, StepKey key) {
    return new PlanInput(
        Set.of(key),
        Map.of(),
        Map.of(),
        pulled,
        Map.of(),
        ResizedResources.NONE,
        ALL,
        Map.of(),
        Map.of());
  }

  static PlanInput inTrouble(
      Set<String> pulled, String container, ContainerWaiting containerWaiting) {
    return memory(
        pulled, Map.of(PodPart.container(container), containerWaiting), Map.of(), Map.of());
  }

  static PlanInput crashed(String container, CrashBackoff crash) {
    return memory(Set.of(container), Map.of(), Map.of(container, crash), Map.of());
  }

  static PlanInput probed(Set<String> pulled, String id, Verdict verdict) {
    return memory(pulled, Map.of(), Map.of(), Map.of(id, verdict));
  }

  static PlanInput followed(Set<String> pulled, RestartCounts restartCounts) {
    return new PlanInput(
        Set.of(),
        Map.of(),
        Map.of(),
        pulled,
        Map.of(),
        ResizedResources.NONE,
        restartCounts,
        Map.of(),
        Map.of());
  }

  static PlanInput unremovable(Set<String> pulled, String id, Instant since) {
    return new PlanInput(
        Set.of(),
        Map.of(),
        Map.of(),
        pulled,
        Map.of(),
        ResizedResources.NONE,
        ALL,
        Map.of(),
        Map.of(id, since));
  }

  private static PlanInput memory(
      Set<String> pulled,
      Map<PodPart, ContainerWaiting> troubles,
      Map<String, CrashBackoff> crashes,
      Map<String, Verdict> verdicts) {
    return new PlanInput(
        Set.of(),
        troubles,
        crashes,
        pulled,
        verdicts,
        ResizedResources.NONE,
        ALL,
        Map.of(),
        Map.of());
  }

  /// A name that begins with `+` is that of a sidecar.
  static Pod pod(String policy, List<String> init, List<String> main) {
    return new PodBuilder()
        .withNewMetadata()
        .withName("web")
        .withNamespace("default")
        .withUid("uid-1")
        .endMetadata()
        .withNewSpec()
        .withRestartPolicy(policy)
        .withInitContainers(
            init.stream()
                .map(
                    name ->
                        new ContainerBuilder()
                            .withName(name.replace("+", ""))
                            .withRestartPolicy(name.startsWith("+") ? "Always" : null)
                            .build())
                .toList())
        .withContainers(
            main.stream().map(name -> new ContainerBuilder().withName(name).build()).toList())
        .endSpec()
        .build();
  }

  static ObservedPod observed(
      @org.jspecify.annotations.Nullable String sandbox,
      @org.jspecify.annotations.Nullable String there) {
    List<ObservedContainer> containers = new ArrayList<>();
    for (String word : words(there)) {
      String[] parts = word.split("=", -1);
      containers.add(container(parts[0], 0, parts[1]));
    }
    return new ObservedPod(
        sandbox == null ? List.of() : List.of(sandbox(sandbox.equals("ready"))), containers);
  }

  static ObservedSandbox sandbox(boolean ready) {
    return new ObservedSandbox("s0", 0, ready, NOW, "", List.of("10.0.0.1"), Map.of());
  }

  static ObservedContainer container(String name, int attempt, String state) {
    boolean exited = Character.isDigit(state.charAt(0));
    State is =
        switch (state) {
          case "new" -> State.CREATED;
          case "running" -> State.RUNNING;
          case "cut", "void" -> State.CANCELLED;
          default -> State.EXITED;
        };
    return new ObservedContainer(
        name + "-" + attempt,
        "s0",
        name,
        attempt,
        is,
        "image",
        "sha256:1",
        NOW.minusSeconds(60 - attempt),
        is == State.CREATED ? null : NOW.minusSeconds(50),
        finished(state),
        exited ? Integer.parseInt(state) : 0,
        "",
        state.equals("void") ? NO_SANDBOX : "",
        "",
        new HashMap<>());
  }

  private static @org.jspecify.annotations.Nullable Instant finished(String state) {
    return switch (state) {
      case "new", "running" -> null;
      default -> NOW.minusSeconds(1);
    };
  }

  /// Made by another definition.
  static ObservedPod changed(ObservedContainer one) {
    ObservedContainer other =
        new ObservedContainer(
            one.id(),
            one.sandboxId(),
            one.name(),
            one.attempt(),
            one.state(),
            one.image(),
            one.imageId(),
            one.createdAt(),
            one.startedAt(),
            one.finishedAt(),
            one.exitCode(),
            one.reason(),
            one.message(),
            one.logPath(),
            Map.of(ContainerHash.ANNOTATION, "another"));
    return new ObservedPod(List.of(sandbox(true)), List.of(other));
  }

  static List<String> words(@org.jspecify.annotations.Nullable String text) {
    return text == null ? List.of() : Arrays.asList(text.split(" "));
  }

  static String text(PodPlan plan) {
    if (plan.isDone()) {
      return "done";
    }
    return plan.steps().stream()
        .map(
            step ->
                switch (step) {
                  case PodStep.RunSandbox _ -> "RunSandbox";
                  case PodStep.StopSandbox(var id) -> "StopSandbox(" + id + ")";
                  case PodStep.RemoveSandbox(var id) -> "RemoveSandbox(" + id + ")";
                  case PodStep.PullImage(var name) -> "PullImage(" + name + ")";
                  case PodStep.FindImage(var name) -> "FindImage(" + name + ")";
                  case PodStep.StartContainer one -> "StartContainer(" + one.container() + ")";
                  case PodStep.PreStop one -> "PreStop(" + one.container() + ")";
                  case PodStep.StopContainer one -> "StopContainer(" + one.container() + ")";
                  case PodStep.RemoveContainer(var id) -> "RemoveContainer(" + id + ")";
                  case PodStep.ResizeContainer one -> "ResizeContainer(" + one.container() + ")";
                  case PodStep.ResizePod _ -> "ResizePod";
                })
        .collect(Collectors.joining(" "));
  }
}

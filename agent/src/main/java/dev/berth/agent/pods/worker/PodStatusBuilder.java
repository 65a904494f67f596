package dev.berth.agent.pods.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.pods.act.StepContext;
import dev.berth.agent.pods.admission.ServiceResolver;
import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.observed.ObservedPod;
import dev.berth.agent.pods.plan.ContainerWaiting;
import dev.berth.agent.pods.plan.PodPart;
import dev.berth.agent.pods.references.PodJson;
import dev.berth.agent.pods.status.StatusFacts;
import dev.berth.agent.pods.status.StatusFacts.PodFailure;
import dev.berth.agent.pods.status.StatusRules;
import dev.berth.agent.probes.ProbeWorkers.Verdict;
import dev.berth.agent.runtimes.RuntimeEndpoint;
import dev.berth.agent.runtimes.health.RuntimeVersion;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Builds the status of one pod, with the termination messages of its containers, and writes the
/// events about the pod as a whole. Confined to the worker's thread.
final class PodStatusBuilder {
  /// What the worker knows about the pod at this moment.
  record Situation(
      Pod pod,
      JsonNode before,
      ObservedPod observed,
      Map<PodPart, ContainerWaiting> waiting,
      Map<String, Verdict> verdicts,
      @Nullable PodFailure podFailure,
      boolean isStopping,
      StatusFacts.Where where,
      StatusFacts.Allotted allotted) {}

  private final WorkerDependencies dependencies;
  private final StartTimes times;
  private final Map<String, String> messages = new HashMap<>();
  private final BackoffEvents backoffEvents;
  private @Nullable Instant unresolvedReported;
  private boolean blockedReported;

  PodStatusBuilder(WorkerDependencies dependencies, StartTimes times) {
    this.dependencies = dependencies;
    this.times = times;
    this.backoffEvents = new BackoffEvents(dependencies.outputs().events());
  }

  ObjectNode status(Situation now) {
    backoffEvents.publish(now.pod(), now.waiting(), container -> image(now.pod(), container));
    messages.keySet().retainAll(ids(now.observed()));
    for (ObservedContainer container : now.observed().containers()) {
      if (container.hasExited()) {
        messages.computeIfAbsent(
            container.id(),
            _ -> dependencies.inputs().terminationMessage().of(now.pod(), container));
      }
    }
    Map<String, String> said = new HashMap<>(messages);
    said.values().removeIf(String::isEmpty);
    ObjectNode status =
        StatusRules.compute(
            new StatusFacts(
                now.pod(),
                withConditionsOfOthers(now.before(), now.pod()),
                now.observed(),
                now.waiting(),
                now.verdicts(),
                said,
                now.podFailure(),
                now.isStopping(),
                now.where(),
                now.allotted(),
                dependencies.timing().clock().instant()));
    times.phase(
        now.pod(),
        now.before().path("phase").asText(),
        status.path("phase").asText(),
        dependencies.outputs().metrics());
    return status;
  }

  private static Set<String> ids(ObservedPod observed) {
    return observed.containers().stream().map(ObservedContainer::id).collect(Collectors.toSet());
  }

  /// Conditions of readiness gates come from the API object, since others write them; all other
  /// conditions come from the agent's own last status.
  private static JsonNode withConditionsOfOthers(JsonNode before, Pod pod) {
    if (pod.getSpec().getReadinessGates().isEmpty()) {
      return before;
    }
    ObjectNode merged = before.deepCopy();
    List<String> gates =
        pod.getSpec().getReadinessGates().stream().map(gate -> gate.getConditionType()).toList();
    ArrayNode conditions = merged.putArray("conditions");
    before
        .path("conditions")
        .forEach(
            one -> {
              if (!gates.contains(one.path("type").asText())) {
                conditions.add(one);
              }
            });
    PodJson.status(pod)
        .path("conditions")
        .forEach(
            one -> {
              if (gates.contains(one.path("type").asText())) {
                conditions.add(one);
              }
            });
    return merged;
  }

  /// Containers whose postStart hook has not ended: users see them as waiting.
  static Map<PodPart, ContainerWaiting> starting(Pod pod, StepThreads steps) {
    Map<PodPart, ContainerWaiting> starting = new HashMap<>();
    containers(pod)
        .filter(one -> one.getLifecycle() != null && one.getLifecycle().getPostStart() != null)
        .filter(one -> steps.isStarting(one.getName()))
        .forEach(one -> starting.put(PodPart.container(one.getName()), ContainerWaiting.STARTING));
    return starting;
  }

  static String image(Pod pod, String container) {
    return containers(pod)
        .filter(one -> one.getName().equals(container))
        .map(Container::getImage)
        .findFirst()
        .orElse(container);
  }

  static Stream<Container> containers(Pod pod) {
    return Stream.concat(
        pod.getSpec().getInitContainers().stream(), pod.getSpec().getContainers().stream());
  }

  StatusFacts.Where where(StepContext stepContext, JsonNode before) {
    return new StatusFacts.Where(
        dependencies.inputs().node().addresses(),
        stepContext.service().name(),
        stepContext.handler(),
        runtimeName(stepContext.service(), before),
        handler(stepContext).recursiveReadOnlyMounts(),
        dependencies.inputs().platform().resourceControls(stepContext.pod(), handler(stepContext)),
        "");
  }

  private ServiceHandler handler(StepContext stepContext) {
    return dependencies
        .inputs()
        .runtimes()
        .snapshot()
        .find(stepContext.service().name())
        .flatMap(found -> found.handlers().find(stepContext.handler()))
        .orElseGet(() -> ServiceHandler.named(stepContext.handler()));
  }

  /// The prefix of container ids: the name that the runtime reports. Until the runtime reports it,
  /// the prefix in the last status.
  private String runtimeName(RuntimeEndpoint service, JsonNode before) {
    return dependencies
        .inputs()
        .runtimes()
        .snapshot()
        .find(service.name())
        .flatMap(found -> found.version())
        .map(RuntimeVersion::runtimeName)
        .orElseGet(() -> reportedRuntimeName(before).orElse(service.name()));
  }

  private static Optional<String> reportedRuntimeName(JsonNode before) {
    for (JsonNode status : before.path("containerStatuses")) {
      String id = status.path("containerID").asText();
      if (id.contains("://")) {
        return Optional.of(id.substring(0, id.indexOf("://")));
      }
    }
    return Optional.empty();
  }

  void failed(Pod pod, PodFailure why) {
    dependencies.outputs().events().warning(pod, "", why.reason(), why.event());
  }

  /// Writes the event once. The runtime's error messages come with each attempt.
  void endBlocked(Pod pod, ContainerWaiting blocked) {
    if (!blockedReported) {
      blockedReported = true;
      dependencies.outputs().events().warning(pod, "", blocked.reason(), blocked.message());
    }
  }

  /// A deadline that the specification sets is no reason for a warning.
  void exceeded(Pod pod, PodFailure deadline) {
    dependencies.outputs().events().normal(pod, "", deadline.reason(), deadline.message());
  }

  /// @param later an unusual state is reported at every attempt, so that users see that the agent
  ///   keeps trying
  void unresolved(Pod pod, String problem, ServiceResolver.Resolved.Later later) {
    Instant now = dependencies.timing().clock().instant();
    Instant lastReport = unresolvedReported;
    if (lastReport == null
        || (later.isStrange() && !now.isBefore(lastReport.plus(later.after())))) {
      dependencies
          .outputs()
          .events()
          .warning(pod, "", "FailedCreatePodSandBox", "Failed to create pod sandbox: " + problem);
      unresolvedReported = now;
    }
  }
}

package dev.berth.agent.pods.admission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.pods.admission.ServiceResolver.Resolved.Absent;
import dev.berth.agent.pods.admission.ServiceResolver.Resolved.At;
import dev.berth.agent.pods.admission.ServiceResolver.Resolved.Failed;
import dev.berth.agent.pods.admission.ServiceResolver.Resolved.Later;
import dev.berth.agent.pods.config.PlatformConfig;
import dev.berth.agent.pods.config.ResourceAllocation;
import dev.berth.agent.pods.status.FailureReason;
import dev.berth.agent.pods.status.StatusFacts.PodFailure;
import dev.berth.agent.pressure.NodePressure;
import dev.berth.agent.pressure.PressureAdmission;
import dev.berth.agent.runtimes.PodLookup;
import dev.berth.agent.runtimes.PodRequest;
import dev.berth.agent.runtimes.RuntimeEndpoint;
import dev.berth.agent.runtimes.RuntimeService;
import dev.berth.agent.runtimes.RuntimeServices;
import dev.berth.agent.runtimes.ServiceResolution;
import dev.berth.agent.runtimes.registration.HandlerIsolation;
import dev.berth.api.Problem;
import dev.berth.api.pods.PodPlatform.Isolation;
import dev.berth.api.pods.PodRuntime;
import dev.berth.api.pods.PodSource;
import dev.berth.client.ClientException;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// Finds the runtime service of a pod: the bound one, else one that serves the handler of its
/// RuntimeClass.
public final class ServiceResolver {
  /// The interval between attempts to resolve a pod, as in the kubelet.
  static final Duration AGAIN = Duration.ofSeconds(10);

  /// The interval between reports of a feature that this version lacks.
  private static final Duration SELDOM = Duration.ofMinutes(5);

  /// A state that lasts for a moment, such as a service that has not answered yet.
  private static final Duration SOON = Duration.ofSeconds(1);

  /// The result of a resolution.
  public sealed interface Resolved {
    record At(RuntimeEndpoint service, String handler) implements Resolved {}

    /// No service has anything of the pod.
    record Absent() implements Resolved {}

    /// Unknown or impossible for now.
    ///
    /// @param after when the agent tries again, and when it reports again
    /// @param isStrange whether users are informed
    record Later(Problem problem, Duration after, boolean isStrange) implements Resolved {}

    record Failed(PodFailure podFailure) implements Resolved {}
  }

  private final RuntimeServices runtimes;
  private final OwnNode ownNode;
  private final RuntimeClasses classes;
  private final PlatformConfig platform;
  private final UnresolvedPolicy policy;
  private final NodePressure pressure;
  private final PodAdmissionQueue admissions;

  public ServiceResolver(
      RuntimeServices runtimes,
      OwnNode ownNode,
      RuntimeClasses classes,
      PlatformConfig platform,
      AdmissionRules rules,
      NodePressure pressure,
      PodAdmissionQueue admissions) {
    this.runtimes = runtimes;
    this.ownNode = ownNode;
    this.classes = classes;
    this.platform = platform;
    this.policy = rules.unresolved();
    this.pressure = pressure;
    this.admissions = admissions;
  }

  /// Looks up the binding without choosing a service.
  public Resolved find(Pod pod) {
    return switch (runtimes.find(pod.getMetadata().getUid())) {
      case PodLookup.Found(var service, var handler) -> new At(service, handler);
      case PodLookup.NotBound() -> new Absent();
      // The service is not registered any more: the node cannot reach anything of the pod.
      case PodLookup.Gone(_) -> new Absent();
      case PodLookup.Unknown(var problem, _) -> new Later(problem, SOON, false);
    };
  }

  /// Returns the pod's service, and chooses one for a pod without. A sandbox keeps the handler it
  /// was created with, whatever changes in the class.
  public Resolved bind(Pod pod, AdmittedPods admittedPods) {
    return switch (runtimes.find(pod.getMetadata().getUid())) {
      case PodLookup.Found(var service, var handler) -> new At(service, handler);
      case PodLookup.NotBound() -> bindNew(pod, admittedPods);
      case PodLookup.Gone(var service) -> leave(service, pod, admittedPods);
      // The pod may be running, so no admission rule applies.
      case PodLookup.Unknown(var problem, var isBound) ->
          isBound || PodRequest.of(pod).mayHaveStarted()
              ? new Later(problem, SOON, false)
              : bindNew(pod, admittedPods);
    };
  }

  /// A controller replaces a failed pod. A static pod has no replacement, so it moves to another
  /// service.
  private Resolved leave(String service, Pod pod, AdmittedPods admittedPods) {
    if (PodSource.isStatic(pod)) {
      runtimes.release(pod.getMetadata().getUid());
      return bindNew(pod, admittedPods);
    }
    return new Failed(
        PodFailure.serviceGone(
            new Problem(
                    "pod %s cannot continue".formatted(nameOf(pod)),
                    "its runtime service \"%s\" is no longer registered on this node (registered: %s)"
                        .formatted(service, registered()),
                    "Create the pod again. The node cannot reach containers that the removed service may still run")
                .toString()));
  }

  private String registered() {
    String names =
        runtimes.snapshot().services().stream()
            .map(RuntimeService::name)
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "none" : names;
  }

  private Resolved bindNew(Pod pod, AdmittedPods admittedPods) {
    Optional<Problem> unprovided = UnsupportedFeatures.of(pod);
    if (unprovided.isPresent()) {
      return new Later(unprovided.get(), SELDOM, true);
    }
    try {
      Optional<PodFailure> refused =
          SystemRules.refusal(pod, platform)
              .or(
                  () ->
                      PressureAdmission.refusal(pod, pressure.pressures()).map(PodFailure::evicted))
              .or(() -> ownNode.refusal(pod));
      if (refused.isPresent()) {
        return new Failed(refused.get());
      }
    } catch (ClientException e) {
      return unread("node of pod " + nameOf(pod), e);
    }
    return switch (admissions.ask(pod, admittedPods)) {
      case PodAdmissionQueue.Answer.Refused(var podFailure) -> new Failed(podFailure);
      case PodAdmissionQueue.Answer.Awaiting(var going) ->
          new Later(noRoom(pod, going), SOON, false);
      case PodAdmissionQueue.Answer.Taken() -> bindAdmitted(pod);
    };
  }

  /// Allocates resources to a resized pod.
  ///
  /// @param keep see [PodAdmissionQueue#allot]
  public void allot(
      Pod pod, JsonNode lastStatus, AdmittedPods admittedPods, Consumer<ResourceAllocation> keep) {
    admissions.allot(pod, lastStatus, admittedPods, keep);
  }

  private static Problem noRoom(Pod pod, List<String> going) {
    return new Problem(
        "pod %s cannot start yet".formatted(nameOf(pod)),
        "%d pods that were preempted for it have not ended".formatted(going.size()),
        "");
  }

  private Resolved bindAdmitted(Pod pod) {
    String name = PodRuntime.of(pod).className();
    String handler = "";
    if (!name.isEmpty()) {
      try {
        Optional<String> found = classes.handler(name);
        if (found.isEmpty()) {
          return unresolved(
              FailureReason.CLASS_NOT_FOUND, missing(pod, name), policy != UnresolvedPolicy.RETRY);
        }
        handler = found.get();
      } catch (ClientException e) {
        return unread("RuntimeClass %s of pod %s".formatted(name, nameOf(pod)), e);
      }
    }
    Optional<PodFailure> elsewhere = ownNode.otherPlatform(pod, isolation(handler));
    if (elsewhere.isPresent()) {
      return new Failed(elsewhere.get());
    }
    return switch (runtimes.bind(PodRequest.of(pod), handler)) {
      case ServiceResolution.Bound(var service, var bound) -> new At(service, bound);
      case ServiceResolution.Retry(var problem, var after) -> new Later(problem, after, false);
      case ServiceResolution.Rejected(var problem) ->
          unresolved(FailureReason.RUNTIME_UNRESOLVED, problem, policy == UnresolvedPolicy.FAIL);
    };
  }

  private Isolation isolation(String handler) {
    boolean isHyperV =
        runtimes.snapshot().services().stream()
            .flatMap(service -> service.handlers().find(handler).stream())
            .anyMatch(found -> found.isolation() == HandlerIsolation.HYPERV);
    return isHyperV ? Isolation.HYPERV : Isolation.PROCESS;
  }

  private static Later unread(String what, ClientException e) {
    return new Later(
        new Problem(what + " cannot be read", String.valueOf(e.getMessage()), ""), SOON, false);
  }

  private static Resolved unresolved(FailureReason reason, Problem problem, boolean fails) {
    return fails
        ? new Failed(new PodFailure(reason, problem.toString()))
        : new Later(problem, AGAIN, true);
  }

  private Problem missing(Pod pod, String name) {
    String offered =
        runtimes.snapshot().services().stream()
            .map(RuntimeService::toString)
            .collect(Collectors.joining("; "));
    return new Problem(
        "pod %s cannot start".formatted(nameOf(pod)),
        "runtimeclass.node.k8s.io \"%s\" not found (this node offers: %s)"
            .formatted(name, offered.isEmpty() ? "nothing" : offered),
        "Create the RuntimeClass, or correct spec.runtimeClassName");
  }

  private static String nameOf(Pod pod) {
    return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
  }
}

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

/// Finds the runtime service of a pod: the one it has, else that of its RuntimeClass's handler.
public final class ServiceResolver {
  /// When what cannot be resolved is tried again, as a kubelet would.
  static final Duration AGAIN = Duration.ofSeconds(10);

  /// When what only another version of the agent can provide is reported again.
  private static final Duration SELDOM = Duration.ofMinutes(5);

  private static final Duration SOON = Duration.ofSeconds(1);

  /// Where a pod is, or may be.
  public sealed interface Resolved {
    record At(RuntimeEndpoint service, String handler) implements Resolved {}

    /// No service has anything of it.
    record Absent() implements Resolved {}

    /// Not known, or not possible, for now.
    ///
    /// @param after when it is tried again, and when users are told again
    /// @param isStrange whether users should be told
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
      UnresolvedPolicy policy,
      NodePressure pressure,
      PodAdmissionQueue admissions) {
    this.runtimes = runtimes;
    this.ownNode = ownNode;
    this.classes = classes;
    this.platform = platform;
    this.policy = policy;
    this.pressure = pressure;
    this.admissions = admissions;
  }

  /// Chooses nothing.
  public Resolved find(Pod pod) {
    return switch (runtimes.find(pod.getMetadata().getUid())) {
      case PodLookup.Found(var service, var handler) -> new At(service, handler);
      case PodLookup.NotBound() -> new Absent();
      // Nothing of it is in reach of this node.
      case PodLookup.Gone(_) -> new Absent();
      case PodLookup.Unknown(var problem, _) -> new Later(problem, SOON, false);
    };
  }

  /// Chooses a service if the pod has none yet; a sandbox keeps the handler it was made with,
  /// whatever becomes of the class.
  public Resolved bind(Pod pod, AdmittedPods admittedPods) {
    return switch (runtimes.find(pod.getMetadata().getUid())) {
      case PodLookup.Found(var service, var handler) -> new At(service, handler);
      case PodLookup.NotBound() -> bindNew(pod, admittedPods);
      case PodLookup.Gone(var service) -> leave(service, pod, admittedPods);
      // It may run: nothing that would be a reason not to start it matters.
      case PodLookup.Unknown(var problem, var isBound) ->
          isBound || PodRequest.of(pod).mayHaveStarted()
              ? new Later(problem, SOON, false)
              : bindNew(pod, admittedPods);
    };
  }

  /// Controllers make a new pod for one that failed; of a static one there is only this.
  private Resolved leave(String service, Pod pod, AdmittedPods admittedPods) {
    if (PodSource.isStatic(pod)) {
      runtimes.release(pod.getMetadata().getUid());
      return bindNew(pod, admittedPods);
    }
    return new Failed(
        PodFailure.serviceGone(
            new Problem(
                    "pod %s cannot go on".formatted(nameOf(pod)),
                    "its runtime service \"%s\" is not registered on this node any more (there are: %s)"
                        .formatted(service, registered()),
                    "Create the pod again; what it ran there, if anything, is out of this node's reach")
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

  /// Gives a pod the resources that it asks for, or leaves it what it had.
  ///
  /// @param keep as [PodAdmissionQueue#allot] calls it
  public void allot(
      Pod pod, JsonNode told, AdmittedPods admittedPods, Consumer<ResourceAllocation> keep) {
    admissions.allot(pod, told, admittedPods, keep);
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

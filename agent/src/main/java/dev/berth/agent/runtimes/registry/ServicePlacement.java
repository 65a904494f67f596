package dev.berth.agent.runtimes.registry;

import static java.util.stream.Collectors.joining;

import dev.berth.agent.runtimes.PodRequest;
import dev.berth.agent.runtimes.RuntimeService;
import dev.berth.agent.runtimes.RuntimeSnapshot;
import dev.berth.agent.runtimes.health.ServiceHealth;
import dev.berth.agent.runtimes.health.ServiceHealth.Connecting;
import dev.berth.agent.runtimes.health.ServiceHealth.Draining;
import dev.berth.agent.runtimes.health.ServiceHealth.Gone;
import dev.berth.agent.runtimes.health.ServiceHealth.NotReady;
import dev.berth.agent.runtimes.health.ServiceHealth.Ready;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Chooses the runtime service of a new pod: the one it names, else a ready one that offers its
/// handler, else the default of its workload type.
public record ServicePlacement(PodRequest pod, String handler, RuntimeSnapshot snapshot) {
  /// States that last for a moment.
  static final Duration SOON = Duration.ofMillis(500);

  /// A service that says itself that it is not ready: a network plug-in, say, is being installed.
  static final Duration LATER = Duration.ofSeconds(1);

  /// Draining ends when a person says so.
  static final Duration MUCH_LATER = Duration.ofSeconds(10);

  /// The decision; the caller acts on it.
  sealed interface Choice {
    record Chosen(String service) implements Choice {}

    record Wait(Problem problem, Duration after) implements Choice {}

    record Refused(Problem problem) implements Choice {}
  }

  Choice decide() {
    if (ofType().isEmpty()) {
      return refuse(
          "this node has no runtime service for %s workloads (there are: %s)"
              .formatted(pod.workloadType(), list(snapshot.services())),
          "Add one with `berth runtimes add`, or let the pod run on another node");
    }
    String name = pod.serviceName();
    if (name != null && !name.equals(RuntimeDeclaration.DEFAULT)) {
      return named(name);
    }
    if (name != null || handler.isEmpty()) {
      return use(defaultOfType());
    }
    return offering();
  }

  private Choice named(String name) {
    Optional<RuntimeService> service = snapshot.find(name);
    if (service.isEmpty()) {
      return refuse(
          "there is no runtime service \"%s\" on this node (there are: %s)"
              .formatted(name, list(snapshot.services())),
          "Correct spec.runtimeServiceName, or add the service with `berth runtimes add`");
    }
    if (service.get().workloadType() != pod.workloadType()) {
      return refuse(
          "runtime service \"%s\" runs %s workloads, and this is a %s one (for those there are: %s)"
              .formatted(name, service.get().workloadType(), pod.workloadType(), list(ofType())),
          "Correct spec.runtimeServiceName");
    }
    return use(service.get());
  }

  /// Uses this service, or waits for it.
  private Choice use(RuntimeService service) {
    if (!service.health().canStart(pod.hostNetwork())) {
      return await(service);
    }
    if (service.handlers().areKnown() && !service.handlers().offer(handler)) {
      return refuse(
          "runtime service \"%s\" has no handler \"%s\" (it has: %s; on this node there are: %s)"
              .formatted(service.name(), handler, service.handlers(), list(snapshot.services())),
          "Use a RuntimeClass whose handler it has, or another runtime service");
    }
    return new Choice.Chosen(service.name());
  }

  /// Chooses among services that offer the handler. A service that may offer it later is waited
  /// for: its handlers can change while it is away.
  private Choice offering() {
    List<RuntimeService> candidates = ofType();
    Optional<RuntimeService> ready =
        candidates.stream()
            .filter(service -> isKnownToOffer(service))
            .filter(service -> service.health().canStart(pod.hostNetwork()))
            .findFirst();
    if (ready.isPresent()) {
      return new Choice.Chosen(ready.get().name());
    }
    Optional<RuntimeService> awaited =
        candidates.stream()
            .filter(this::isKnownToOffer)
            .findFirst()
            .or(() -> candidates.stream().filter(ServicePlacement::isAway).findFirst());
    RuntimeService standard = defaultOfType();
    if (awaited.isEmpty() && !standard.handlers().areKnown()) {
      return use(standard);
    }
    return awaited
        .map(this::await)
        .orElseGet(
            () ->
                refuse(
                    "no runtime service on this node offers handler \"%s\" (there are: %s)"
                        .formatted(handler, list(candidates)),
                    "Correct the handler of the RuntimeClass, or add a service that offers it with `berth runtimes add`"));
  }

  private boolean isKnownToOffer(RuntimeService service) {
    return service.handlers().areKnown() && service.handlers().offer(handler);
  }

  private static boolean isAway(RuntimeService service) {
    return switch (service.health()) {
      case Connecting _ -> true;
      case NotReady notReady -> !notReady.computeReady();
      case Ready _, Draining _, Gone _ -> false;
    };
  }

  private Choice await(RuntimeService service) {
    ServiceHealth health = service.health();
    return switch (health) {
      case Connecting _ -> retry(service, "has not answered yet", SOON);
      case NotReady(_, var reason, _, _) -> retry(service, "is not ready: " + reason.why(), LATER);
      case Draining _ -> retry(service, "is being drained and takes no new pods", MUCH_LATER);
      case Ready _, Gone _ -> retry(service, "is about to change", SOON);
    };
  }

  private Choice retry(RuntimeService service, String why, Duration after) {
    return new Choice.Wait(
        new Problem(
            "pod %s waits".formatted(pod.name()),
            "runtime service \"%s\" %s".formatted(service.name(), why),
            ""),
        after);
  }

  private Choice refuse(String why, String remedy) {
    return new Choice.Refused(
        new Problem("pod %s cannot start".formatted(pod.name()), why, remedy));
  }

  /// The services of the pod's workload type, default first.
  private List<RuntimeService> ofType() {
    return snapshot.services().stream()
        .filter(service -> service.workloadType() == pod.workloadType())
        .sorted((one, other) -> Boolean.compare(other.isDefault(), one.isDefault()))
        .toList();
  }

  private RuntimeService defaultOfType() {
    return ofType().getFirst();
  }

  private static String list(List<RuntimeService> services) {
    return services.isEmpty()
        ? "none"
        : services.stream().map(RuntimeService::toString).collect(joining("; "));
  }
}

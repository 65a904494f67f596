package dev.berth.agent.pods.logs;

import dev.berth.agent.files.DirectoryHandle;
import dev.berth.agent.pods.config.LogPaths;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.observed.ObservedPod;
import dev.berth.agent.pods.observed.ServiceObserver;
import dev.berth.agent.pods.worker.ServiceObservers;
import dev.berth.agent.runtimes.PodLookup;
import dev.berth.agent.runtimes.RuntimeEndpoint;
import dev.berth.agent.runtimes.RuntimeServices;
import dev.berth.agent.streams.ContainerLocation;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EphemeralContainer;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Finds the containers behind log, exec, attach and port-forward requests.
public final class ContainerLookup {
  private final NodeSettings node;
  private final RuntimeServices runtimes;
  private final ServiceObservers observers;

  public ContainerLookup(NodeSettings node, RuntimeServices runtimes, ServiceObservers observers) {
    this.node = node;
    this.runtimes = runtimes;
    this.observers = observers;
  }

  public ContainerLocation of(Pod pod, String container) {
    if (!container.isEmpty() && names(pod).noneMatch(container::equals)) {
      return new ContainerLocation.NotFound(
          "container \"%s\" not found in pod \"%s_%s\""
              .formatted(container, pod.getMetadata().getName(), pod.getMetadata().getNamespace()));
    }
    return switch (runtimes.find(pod.getMetadata().getUid())) {
      case PodLookup.Found(var service, _) ->
          look(pod, service)
              .map(found -> in(pod, container, service, found))
              .orElseGet(() -> unseen(pod, container, notListed(service)));
      case PodLookup.Unknown(var problem, _) -> unseen(pod, container, problem.toString());
      case PodLookup.Gone(var name) ->
          unseen(pod, container, "runtime service %s is no longer registered".formatted(name));
      case PodLookup.NotBound() ->
          container.isEmpty()
              ? notStarted(pod, container)
              : unseen(pod, container, "no runtime service has it");
    };
  }

  private Optional<ObservedPod> look(Pod pod, RuntimeEndpoint service) {
    ServiceObserver observer = observers.of(service);
    return observer == null ? Optional.empty() : observer.view().look(pod.getMetadata().getUid());
  }

  private static String notListed(RuntimeEndpoint service) {
    return service
        .health()
        .silence(service.name())
        .orElseGet(
            () -> "runtime service %s has not listed its pods yet".formatted(service.name()));
  }

  /// Logs can be read although the container's state is unknown.
  private ContainerLocation unseen(Pod pod, String container, String why) {
    if (container.isEmpty()) {
      return new ContainerLocation.OutOfReach(
          null,
          null,
          "pod \"%s\" cannot be reached: %s".formatted(pod.getMetadata().getName(), why));
    }
    List<Path> logs = logs(LogPaths.ofPod(node, pod).resolve(container));
    return logs.isEmpty()
        ? notStarted(pod, container)
        : new ContainerLocation.OutOfReach(
            logs.getFirst(),
            previous(ReportedContainer.of(pod, container), logs),
            "container \"%s\" in pod \"%s\" cannot be reached: %s"
                .formatted(container, pod.getMetadata().getName(), why));
  }

  private static @Nullable Path previous(ReportedContainer reported, List<Path> logs) {
    if (reported.waitsForItsNextStart()) {
      return logs.getFirst();
    }
    return logs.size() > 1 ? logs.get(1) : null;
  }

  /// Newest first.
  private static List<Path> logs(Path directory) {
    try (DirectoryHandle handle = DirectoryHandle.ofLog(directory.resolve("any"))) {
      return handle.names().stream()
          .filter(name -> name.matches("\\d{1,9}\\.log"))
          .map(directory::resolve)
          .sorted(Comparator.comparingInt(ContainerLookup::attempt).reversed())
          .toList();
    } catch (IOException _) {
      return List.of(); // No container was ever started.
    }
  }

  private static int attempt(Path log) {
    return Integer.parseInt(log.getFileName().toString().replace(".log", ""));
  }

  private ContainerLocation in(
      Pod pod, String container, RuntimeEndpoint service, ObservedPod observed) {
    if (container.isEmpty()) {
      return observed
          .newestSandbox()
          .<ContainerLocation>map(
              sandbox ->
                  new ContainerLocation.Found(service, sandbox.id(), "", false, false, null, null))
          .orElseGet(() -> notStarted(pod, container));
    }
    List<ObservedContainer> instances = observed.instances(container);
    if (instances.isEmpty()) {
      return notStarted(pod, container);
    }
    ObservedContainer newest =
        instances.stream()
            .filter(ObservedContainer::hasBegun)
            .findFirst()
            .orElseGet(instances::getFirst);
    String previous = ReportedContainer.of(pod, container).previousId();
    return new ContainerLocation.Found(
        service,
        newest.sandboxId(),
        newest.id(),
        newest.isRunning(),
        hasTerminal(pod, container),
        log(pod, newest),
        instances.stream()
            .filter(one -> one.id().equals(previous))
            .findFirst()
            .map(one -> log(pod, one))
            .orElse(null));
  }

  private static boolean hasTerminal(Pod pod, String container) {
    var spec = pod.getSpec();
    return Stream.concat(
            Stream.concat(spec.getContainers().stream(), spec.getInitContainers().stream())
                .filter(one -> one.getName().equals(container))
                .map(Container::getTty),
            spec.getEphemeralContainers().stream()
                .filter(one -> one.getName().equals(container))
                .map(EphemeralContainer::getTty))
        .anyMatch(Boolean.TRUE::equals);
  }

  private Path log(Pod pod, ObservedContainer instance) {
    return instance.logPath().isEmpty()
        ? LogPaths.ofPod(node, pod)
            .resolve(LogPaths.ofContainer(instance.name(), instance.attempt()))
        : Path.of(instance.logPath());
  }

  private static ContainerLocation notStarted(Pod pod, String container) {
    if (container.isEmpty()) {
      return new ContainerLocation.NotStarted(
          "pod \"%s\" is waiting to start: it has no sandbox yet"
              .formatted(pod.getMetadata().getName()));
    }
    return new ContainerLocation.NotStarted(
        "container \"%s\" in pod \"%s\" is waiting to start: %s"
            .formatted(
                container,
                pod.getMetadata().getName(),
                ReportedContainer.of(pod, container).waitsFor()));
  }

  private static Stream<String> names(Pod pod) {
    var spec = pod.getSpec();
    return Stream.of(
            spec.getContainers().stream().map(one -> one.getName()),
            spec.getInitContainers().stream().map(one -> one.getName()),
            spec.getEphemeralContainers().stream().map(one -> one.getName()))
        .flatMap(names -> names);
  }
}

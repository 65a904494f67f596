package dev.berth.agent.pods.worker;

import dev.berth.agent.pods.config.PodLabels;
import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.observed.ObservedPod;
import dev.berth.agent.pods.observed.ObservedSandbox;
import dev.berth.agent.pods.observed.ServiceObserver;
import dev.berth.agent.runtimes.OwnSandboxes;
import dev.berth.agent.runtimes.PodLookup;
import dev.berth.agent.runtimes.RuntimeServices;
import dev.berth.client.DelayedActions;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds what runtime services have of pods that nobody wants: those that were deleted while the
/// agent was away, or whose sandbox came up after their end. What another agent made is left alone.
public final class OrphanCleanup {
  private static final Logger log = LoggerFactory.getLogger(OrphanCleanup.class);
  private static final long GRACE_SECONDS = 30;

  private final OwnSandboxes own;
  private final ServiceObservers observers;
  private final RuntimeServices runtimes;
  private final PodWorkers workers;
  private final BooleanSupplier allWantedAreKnown;
  private final DelayedActions delays;
  private final OrphanRetryInterval pace;

  /// @param allWantedAreKnown before that, a pod without a worker means nothing
  public OrphanCleanup(
      OwnSandboxes own,
      ServiceObservers observers,
      RuntimeServices runtimes,
      PodWorkers workers,
      BooleanSupplier allWantedAreKnown,
      DelayedActions delays,
      InstantSource clock) {
    this.own = own;
    this.observers = observers;
    this.runtimes = runtimes;
    this.workers = workers;
    this.allWantedAreKnown = allWantedAreKnown;
    this.delays = delays;
    this.pace = new OrphanRetryInterval(clock);
  }

  public void searchAll() {
    for (ServiceObserver observer : observers.all()) {
      observer.view().pods().forEach(this::consider);
    }
    releaseVanished();
  }

  /// Bindings of pods that nobody wants and of which their service has nothing that is ours: what
  /// went while the agent was away, or never was ours.
  private void releaseVanished() {
    // Before the look at the workers: a pod is bound by its worker.
    for (String uid : runtimes.boundPods()) {
      if (allWantedAreKnown.getAsBoolean() && !workers.has(uid) && hasVanished(uid)) {
        log.info("binding of a pod that is gone is released uid={}", uid);
        runtimes.release(uid);
      }
    }
  }

  private boolean hasVanished(String uid) {
    return switch (runtimes.find(uid)) {
      case PodLookup.Found(var service, _) -> {
        ServiceObserver observer = observers.of(service);
        yield observer != null
            && observer.view().look(uid).filter(found -> orphan(uid, found).isEmpty()).isPresent();
      }
      case PodLookup.Gone(_) -> true;
      case PodLookup.NotBound(), PodLookup.Unknown(_, _) -> false;
    };
  }

  /// Directories of pods that no runtime service has any more either; what else the node keeps for
  /// a pod is never there without its directory.
  public void searchDirectories(Path pods) {
    try (Stream<Path> all = Files.list(pods)) {
      all.filter(Files::isDirectory)
          .map(directory -> directory.getFileName().toString())
          .filter(uid -> !workers.has(uid))
          .forEach(uid -> end(bare(uid, uid, "", GRACE_SECONDS)));
    } catch (NoSuchFileException _) {
      // There was no pod yet.
    } catch (IOException e) {
      log.warn("directories of pods not searched: {}", e.toString());
    }
  }

  /// Ends what services have of the pod, unless somebody wants it or is about to end it.
  public void consider(String uid) {
    if (workers.has(uid) || !allWantedAreKnown.getAsBoolean()) {
      return;
    }
    for (ServiceObserver observer : observers.all()) {
      try {
        observer
            .view()
            .look(uid)
            .ifPresent(found -> orphan(uid, found).ifPresent(pod -> end(observer, found, pod)));
      } catch (RuntimeException e) {
        // One pod that cannot be looked at keeps no other from its end.
        log.error("pod not looked at uid={} service={}", uid, observer.service().name(), e);
      }
    }
  }

  /// A sandbox may come up after its pod was ended and released, when the call that makes it was
  /// cut off: it belongs to the service that has it, or nobody would ever remove it.
  private void end(ServiceObserver observer, ObservedPod found, Pod pod) {
    String uid = pod.getMetadata().getUid();
    Optional<Duration> wait = pace.waitBefore(uid);
    if (wait.isPresent()) {
      delays.after(
          wait.get(), () -> Thread.ofVirtual().name("orphan-" + uid).start(() -> consider(uid)));
      return;
    }
    String handler = found.newestSandbox().map(ObservedSandbox::handler).orElse("");
    runtimes.adopt(uid, observer.service().name(), handler);
    end(pod);
  }

  private void end(Pod pod) {
    if (workers.end(pod)) {
      pace.ended(pod);
    }
  }

  /// As much of the pod as its sandbox tells.
  private Optional<Pod> orphan(String uid, ObservedPod observed) {
    Map<String, String> labels =
        observed.newestSandbox().map(ObservedSandbox::labels).orElse(Map.of());
    if (!own.has(labels)) {
      return Optional.empty();
    }
    return Optional.of(
        bare(
            uid,
            labels.getOrDefault(PodLabels.POD_NAME, uid),
            labels.getOrDefault(PodLabels.POD_NAMESPACE, ""),
            grace(observed)));
  }

  private static Pod bare(String uid, String name, String namespace, long grace) {
    return new PodBuilder()
        .withNewMetadata()
        .withUid(uid)
        .withName(name)
        .withNamespace(namespace)
        .withDeletionGracePeriodSeconds(grace)
        .endMetadata()
        .withNewSpec()
        .endSpec()
        .build();
  }

  private static long grace(ObservedPod observed) {
    return observed.containers().stream()
        .map(ObservedContainer::annotations)
        .map(annotations -> annotations.get(PodLabels.GRACE))
        .filter(text -> text != null && text.matches("\\d{1,9}"))
        .mapToLong(Long::parseLong)
        .max()
        .orElse(GRACE_SECONDS);
  }
}

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

/// Ends pods at runtime services that no API object asks for: pods that were deleted while the
/// agent was away, or whose sandbox came up after their end. Pods of other agents are left alone.
public final class OrphanCleanup {
  private static final Logger log = LoggerFactory.getLogger(OrphanCleanup.class);

  /// The specification of an orphan is gone, so its containers get Kubernetes' default.
  private static final long GRACE_SECONDS = 30;

  private final OwnSandboxes own;
  private final ServiceObservers observers;
  private final RuntimeServices runtimes;
  private final PodWorkers workers;
  private final BooleanSupplier allWantedAreKnown;
  private final DelayedActions delays;
  private final OrphanRetryInterval pace;

  /// @param allWantedAreKnown until this is true, a pod without a worker may still be wanted
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

  /// Releases bindings of pods without a worker of which their service has nothing of ours: pods
  /// that ended while the agent was away, or that another agent made.
  private void releaseVanished() {
    // Bound pods are read before the workers: a worker exists before it binds its pod.
    for (String uid : runtimes.boundPods()) {
      if (allWantedAreKnown.getAsBoolean() && !workers.has(uid) && hasVanished(uid)) {
        log.info("binding of a removed pod released uid={}", uid);
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

  /// Ends pods that left only a directory on the node. Whatever else the node keeps for a pod, its
  /// directory exists as long.
  public void searchDirectories(Path pods) {
    try (Stream<Path> all = Files.list(pods)) {
      all.filter(Files::isDirectory)
          .map(directory -> directory.getFileName().toString())
          .filter(uid -> !workers.has(uid))
          .forEach(uid -> end(bare(uid, uid, "", GRACE_SECONDS)));
    } catch (NoSuchFileException _) {
      // The node has not run a pod yet.
    } catch (IOException e) {
      log.warn("pod directories not searched reason={}", e.toString());
    }
  }

  /// Ends the pod at every service that has something of it, unless a worker owns the pod.
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
        // One pod that cannot be checked must not keep the others from their end.
        log.error(
            "pod not checked for orphans uid={} service={}", uid, observer.service().name(), e);
      }
    }
  }

  /// A sandbox may appear after its pod was ended and released, when the call that created it was
  /// cancelled. The pod is bound to that service, or nothing would remove the sandbox.
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

  /// The pod as far as the metadata of its sandbox describes it.
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

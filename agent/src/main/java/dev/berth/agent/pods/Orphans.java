package dev.berth.agent.pods;

import dev.berth.agent.pods.config.PodLabels;
import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.observed.ObservedPod;
import dev.berth.agent.pods.observed.ObservedSandbox;
import dev.berth.agent.pods.observed.ServiceObserver;
import dev.berth.agent.runtimes.OwnSandboxes;
import dev.berth.agent.runtimes.PodLookup;
import dev.berth.agent.runtimes.Runtimes;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds what runtime services have of pods that nobody wants: those that were deleted while the
/// agent was away. What another agent made is left alone.
final class Orphans {
  private static final Logger log = LoggerFactory.getLogger(Orphans.class);
  private static final long GRACE_SECONDS = 30;

  private final OwnSandboxes own;
  private final Observers observers;
  private final Runtimes runtimes;
  private final PodWorkers workers;
  private final BooleanSupplier allWantedAreKnown;

  /// @param allWantedAreKnown before that, a pod without a worker means nothing
  Orphans(
      OwnSandboxes own,
      Observers observers,
      Runtimes runtimes,
      PodWorkers workers,
      BooleanSupplier allWantedAreKnown) {
    this.own = own;
    this.observers = observers;
    this.runtimes = runtimes;
    this.workers = workers;
    this.allWantedAreKnown = allWantedAreKnown;
  }

  void searchAll() {
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

  /// Folders of pods that no runtime service has any more either; what else the node keeps for a
  /// pod is never there without its folder.
  void searchFolders(Path pods) {
    try (Stream<Path> all = Files.list(pods)) {
      all.filter(Files::isDirectory)
          .map(folder -> folder.getFileName().toString())
          .filter(uid -> !workers.has(uid))
          .forEach(uid -> end(bare(uid, uid, "", GRACE_SECONDS)));
    } catch (NoSuchFileException _) {
      // There was no pod yet.
    } catch (IOException e) {
      log.warn("folders of pods not searched: {}", e.toString());
    }
  }

  void consider(String uid) {
    if (workers.has(uid) || !allWantedAreKnown.getAsBoolean()) {
      return;
    }
    for (ServiceObserver observer : observers.all()) {
      observer.view().look(uid).flatMap(found -> orphan(uid, found)).ifPresent(this::end);
    }
  }

  private void end(Pod pod) {
    log.info(
        "pod is no longer wanted namespace={} name={}",
        pod.getMetadata().getNamespace(),
        pod.getMetadata().getName());
    workers.end(pod);
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

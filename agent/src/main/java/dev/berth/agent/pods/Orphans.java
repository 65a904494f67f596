package dev.berth.agent.pods;

import dev.berth.agent.pods.config.PodLabels;
import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.observed.ObservedPod;
import dev.berth.agent.pods.observed.ObservedSandbox;
import dev.berth.agent.pods.observed.ServiceObserver;
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

  private final String node;
  private final Observers observers;
  private final PodWorkers workers;
  private final BooleanSupplier allWantedAreKnown;

  /// @param allWantedAreKnown before that, a pod without a worker means nothing
  Orphans(String node, Observers observers, PodWorkers workers, BooleanSupplier allWantedAreKnown) {
    this.node = node;
    this.observers = observers;
    this.workers = workers;
    this.allWantedAreKnown = allWantedAreKnown;
  }

  void searchAll() {
    for (ServiceObserver observer : observers.all()) {
      observer.view().pods().forEach(this::consider);
    }
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
    if (!node.equals(labels.get(PodLabels.NODE))) {
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

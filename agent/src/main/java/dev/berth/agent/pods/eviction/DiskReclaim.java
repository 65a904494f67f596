package dev.berth.agent.pods.eviction;

import dev.berth.agent.files.DirectoryHandle;
import dev.berth.agent.images.ImageCollector;
import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.observed.ServiceObserver;
import dev.berth.agent.pods.worker.PodWorkers;
import dev.berth.agent.pods.worker.ServiceObservers;
import dev.berth.agent.runtimes.ImageService;
import dev.berth.cri.CriException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Has disk back without taking a pod's life: containers of pods that have ended, with their logs,
/// and images that nobody uses.
public record DiskReclaim(PodWorkers workers, ServiceObservers observers, ImageCollector images) {
  private static final Logger log = LoggerFactory.getLogger(DiskReclaim.class);

  /// What is told of a container is what its newest instance there was; an older one must not be
  /// taken for that.
  static final Comparator<ObservedContainer> OLDEST_FIRST =
      Comparator.comparingInt(ObservedContainer::attempt);

  /// @param which the services whose disk is the one that is short
  void run(Predicate<ImageService> which) {
    for (ServiceObserver observer : observers.all()) {
      if (!which.test(observer.service().imageService())) {
        continue;
      }
      for (String uid : observer.view().pods()) {
        if (workers.hasEnded(uid)) {
          removeContainers(observer, uid);
        }
      }
    }
    images.collectUnused(which);
  }

  private static void removeContainers(ServiceObserver observer, String uid) {
    observer.view().look(uid).stream()
        .flatMap(pod -> pod.containers().stream())
        .filter(ObservedContainer::hasExited)
        .sorted(OLDEST_FIRST)
        .forEach(container -> remove(observer, uid, container));
  }

  private static void remove(ServiceObserver observer, String uid, ObservedContainer container) {
    try {
      observer.service().runtime().removeContainer(container.id());
      observer.view().containerGone(uid, container.id());
      if (!container.logPath().isEmpty()) {
        removeLog(Path.of(container.logPath()));
      }
    } catch (CriException | IOException e) {
      log.warn("container not removed id={} reason={}", container.id(), e.getMessage());
    } catch (RuntimeException e) {
      // One strange container must not end the reclaiming of all.
      log.error("container not removed id={}", container.id(), e);
    }
  }

  private static void removeLog(Path file) throws IOException {
    try (DirectoryHandle directory = DirectoryHandle.ofLog(file)) {
      directory.remove(String.valueOf(file.getFileName()));
    } catch (NoSuchFileException _) {
      // It is gone already.
    }
  }
}

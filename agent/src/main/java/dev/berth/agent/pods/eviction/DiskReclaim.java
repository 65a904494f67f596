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

/// Reclaims disk without evicting pods: removes containers of ended pods with their logs, and
/// unused images.
public record DiskReclaim(PodWorkers workers, ServiceObservers observers, ImageCollector images) {
  private static final Logger log = LoggerFactory.getLogger(DiskReclaim.class);

  /// Oldest first: a container's status comes from its newest instance, so an older one must never
  /// be the last one left.
  static final Comparator<ObservedContainer> OLDEST_FIRST =
      Comparator.comparingInt(ObservedContainer::attempt);

  /// @param which selects the services whose disk is short
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
      // One failing container must not stop the others.
      log.error("container not removed id={}", container.id(), e);
    }
  }

  private static void removeLog(Path file) throws IOException {
    try (DirectoryHandle directory = DirectoryHandle.ofLog(file)) {
      directory.remove(String.valueOf(file.getFileName()));
    } catch (NoSuchFileException _) {
      // The log is already gone.
    }
  }
}

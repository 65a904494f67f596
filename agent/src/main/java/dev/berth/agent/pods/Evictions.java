package dev.berth.agent.pods;

import dev.berth.agent.pods.observed.Bell;
import dev.berth.agent.pods.status.StatusFacts.Fate;
import dev.berth.agent.volumes.PodVolumes;
import dev.berth.client.Delays;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Fails pods whose volumes have grown beyond their limits. One thread, which looks now and then;
/// pods without such limits cost nothing.
final class Evictions implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Evictions.class);
  private static final Duration PERIOD = Duration.ofSeconds(10);

  private final PodWorkers workers;
  private final PodVolumes volumes;
  private final Delays delays;
  private final Thread thread = Thread.ofVirtual().name("evictions").unstarted(this::run);

  private Evictions(PodWorkers workers, PodVolumes volumes, Delays delays) {
    this.workers = workers;
    this.volumes = volumes;
    this.delays = delays;
  }

  static Evictions start(PodWorkers workers, PodVolumes volumes, Delays delays) {
    Evictions evictions = new Evictions(workers, volumes, delays);
    evictions.thread.start();
    return evictions;
  }

  private void run() {
    try {
      while (true) {
        new Bell().await(PERIOD, delays);
        workers.specifications().forEach(this::look);
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private void look(Pod pod) {
    try {
      volumes
          .excess(pod)
          .ifPresent(why -> workers.evict(pod.getMetadata().getUid(), new Fate("Evicted", why)));
    } catch (RuntimeException e) {
      // The top of the thread: one pod that cannot be measured keeps no other from it.
      log.warn("volumes not measured pod={}", pod.getMetadata().getName(), e);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}

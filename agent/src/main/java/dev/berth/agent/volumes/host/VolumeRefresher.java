package dev.berth.agent.volumes.host;

import dev.berth.agent.volumes.VolumeException;
import dev.berth.agent.volumes.payloads.VolumePayloads;
import dev.berth.api.pods.PodPhase;
import dev.berth.client.DelayedActions;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Refreshes the volumes of running pods: a changed source shows within a minute, a changed pod at
/// once. Users who cannot wait change an annotation of the pod.
public final class VolumeRefresher implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(VolumeRefresher.class);

  /// Secrets and ConfigMaps in volumes follow the API with this delay at most, as with the kubelet
  /// (60 to 90 s).
  private static final Duration EVERY = Duration.ofMinutes(1);

  private final HostVolumes volumes;
  private final Supplier<List<Pod>> pods;
  private final DelayedActions delays;

  /// The last error of each pod, by UID. Confined to the thread.
  private final Map<String, String> complaints = new HashMap<>();

  private final Thread thread = Thread.ofVirtual().name("volume-refresher").unstarted(this::run);

  private VolumeRefresher(HostVolumes volumes, Supplier<List<Pod>> pods, DelayedActions delays) {
    this.volumes = volumes;
    this.pods = pods;
    this.delays = delays;
  }

  public static VolumeRefresher start(
      HostVolumes volumes, Supplier<List<Pod>> pods, DelayedActions delays) {
    var refresher = new VolumeRefresher(volumes, pods, delays);
    refresher.thread.start();
    return refresher;
  }

  private void run() {
    try {
      nextRound();
      while (true) {
        Optional<Pod> changed = volumes.changes().take();
        if (changed.isPresent()) {
          refresh(changed.get(), volumes.round());
        } else {
          refreshAll(pods.get());
          nextRound();
        }
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private void nextRound() {
    delays.after(EVERY, volumes.changes()::addAll);
  }

  private void refreshAll(List<Pod> all) {
    VolumePayloads round = volumes.round();
    all.forEach(pod -> refresh(pod, round));
    complaints.keySet().retainAll(all.stream().map(pod -> pod.getMetadata().getUid()).toList());
  }

  /// A failure is retried in the next round; the files stay as they are.
  private void refresh(Pod pod, VolumePayloads round) {
    boolean isLeaving = pod.getMetadata().getDeletionTimestamp() != null;
    String phase = pod.getStatus() == null ? "" : pod.getStatus().getPhase();
    if (isLeaving || PodPhase.isFinished(phase)) {
      return;
    }
    try {
      List<String> changed = volumes.refresh(pod, round);
      complaints.remove(pod.getMetadata().getUid());
      if (!changed.isEmpty()) {
        log.info("volumes changed pod={} volumes={}", pod.getMetadata().getName(), changed);
      }
    } catch (VolumeException e) {
      complain(pod, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      // The thread continues: all other pods depend on it.
      log.error("volumes not refreshed pod={}", pod.getMetadata().getName(), e);
    }
  }

  /// Logs an error once, not in every round.
  private void complain(Pod pod, String reason) {
    if (!reason.equals(complaints.put(pod.getMetadata().getUid(), reason))) {
      log.warn(
          "volumes not refreshed pod={}/{} reason={}",
          pod.getMetadata().getNamespace(),
          pod.getMetadata().getName(),
          reason);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}

package dev.berth.agent.pods.eviction;

import dev.berth.agent.files.DiskUsage;
import dev.berth.agent.files.VolumeTrees;
import dev.berth.agent.pods.config.LogPaths;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.worker.PodGuard;
import dev.berth.agent.usage.PodStorage;
import dev.berth.agent.usage.VolumeUsage;
import dev.berth.agent.volumes.PodVolumes;
import dev.berth.agent.volumes.VolumeLocation;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Cached sizes of volumes and logs. Callers get the cached values at once; when these are old, a
/// new measurement starts in the background. Nothing is measured that no caller asks for.
public final class StorageUsageCache implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StorageUsageCache.class);

  /// Measuring walks the directories of all pods, so a result is used for a minute, as by the
  /// kubelet.
  private static final Duration OLD = Duration.ofMinutes(1);

  private record Measured(Instant time, Map<String, PodStorage> pods) {}

  private final NodeSettings node;
  private final PodVolumes volumes;
  private final Supplier<List<Pod>> pods;
  private final InstantSource clock;
  private final AtomicReference<@Nullable Thread> underWay = new AtomicReference<>();
  private final PodGuard guard = new PodGuard("storage measuring");
  private volatile Measured last = new Measured(Instant.MIN, Map.of());

  public StorageUsageCache(
      NodeSettings node, PodVolumes volumes, Supplier<List<Pod>> pods, InstantSource clock) {
    this.node = node;
    this.volumes = volumes;
    this.pods = pods;
    this.clock = clock;
  }

  /// By UID; new pods are missing until the next measurement.
  public Map<String, PodStorage> newest() {
    if (clock.instant().isAfter(last.time().plus(OLD))) {
      Thread thread = Thread.ofVirtual().name("storage-look").unstarted(this::measure);
      if (underWay.compareAndSet(null, thread)) {
        thread.start();
      }
    }
    return last.pods();
  }

  private void measure() {
    try {
      Map<String, PodStorage> all = new HashMap<>();
      for (Pod pod : pods.get()) {
        guard
            .attempt(pod, () -> Optional.of(measure(pod)))
            .ifPresent(found -> all.put(pod.getMetadata().getUid(), found));
      }
      last = new Measured(clock.instant(), Map.copyOf(all));
    } catch (RuntimeException e) {
      // The top of the thread: the next caller triggers another attempt.
      log.warn("volumes and logs not measured", e);
    } finally {
      underWay.set(null);
    }
  }

  private PodStorage measure(Pod pod) {
    List<VolumeUsage> inVolumes = new ArrayList<>();
    for (VolumeLocation place : volumes.places(pod)) {
      if (Files.isDirectory(place.directory())) {
        try {
          inVolumes.add(VolumeUsage.measure(place.name(), place.onDisk(), place.directory()));
        } catch (IOException e) {
          log.debug("volume not measured directory={} reason={}", place.directory(), e.toString());
        }
      }
    }
    Path directory = LogPaths.ofPod(node, pod);
    Map<String, DiskUsage> logs = new HashMap<>();
    Stream.concat(
            pod.getSpec().getInitContainers().stream(), pod.getSpec().getContainers().stream())
        .map(Container::getName)
        .forEach(name -> logs.put(name, VolumeTrees.measure(directory.resolve(name))));
    return new PodStorage(clock.instant(), inVolumes, logs);
  }

  @Override
  public void close() {
    Thread thread = underWay.get();
    if (thread != null) {
      thread.interrupt();
    }
  }
}

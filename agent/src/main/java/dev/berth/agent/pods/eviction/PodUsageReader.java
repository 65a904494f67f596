package dev.berth.agent.pods.eviction;

import dev.berth.agent.files.VolumeTrees;
import dev.berth.agent.pods.config.LogPaths;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.worker.PodGuard;
import dev.berth.agent.pressure.PodUsage;
import dev.berth.agent.pressure.PodUsage.OfContainer;
import dev.berth.agent.usage.ContainerUsage;
import dev.berth.agent.usage.UsageReader;
import dev.berth.agent.usage.UsageReader.Everything;
import dev.berth.agent.usage.UsageReader.SandboxUse;
import dev.berth.agent.volumes.PodVolumes;
import dev.berth.api.pods.PodView;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Measures the usage of pods over all runtime services. It calls services and walks directories,
/// so it runs only when a decision needs it.
public record PodUsageReader(
    NodeSettings node, PodVolumes volumes, UsageReader reader, PodGuard guard) {
  public PodUsageReader(NodeSettings node, PodVolumes volumes, UsageReader reader) {
    this(node, volumes, reader, new PodGuard("measuring"));
  }

  /// Usage by UID; pods that no service reports are missing.
  Map<String, PodUsage> measure(List<Pod> pods) {
    Everything readings = reader.readAll();
    Map<String, List<ContainerUsage>> containers = readings.usage().byPod();
    Map<String, SandboxUse> sandboxes = readings.sandboxes();
    Map<String, PodUsage> uses = new HashMap<>();
    for (Pod pod : pods) {
      String uid = pod.getMetadata().getUid();
      List<ContainerUsage> own = containers.get(uid);
      if (own != null) {
        guard
            .attempt(pod, () -> Optional.of(use(pod, own, sandboxes.get(uid))))
            .ifPresent(use -> uses.put(uid, use));
      }
    }
    return uses;
  }

  private PodUsage use(Pod pod, List<ContainerUsage> own, @Nullable SandboxUse whole) {
    Map<String, OfContainer> containers = new LinkedHashMap<>();
    long memory = 0;
    for (ContainerUsage one : own) {
      memory += one.use().memory();
      containers.put(
          one.container(),
          new OfContainer(
              one.use().memory(),
              one.layer(),
              VolumeTrees.measure(LogPaths.ofPod(node, pod).resolve(one.container()))));
    }
    return new PodUsage(
        whole(pod, memory, whole),
        whole == null ? own.size() : whole.processes(),
        containers,
        volumes.used(pod));
  }

  /// Where the runtime's own usage is not reported, the RuntimeClass's overhead is assumed.
  private static long whole(Pod pod, long containers, @Nullable SandboxUse whole) {
    return whole != null && whole.memory() > containers
        ? whole.memory()
        : containers + PodView.of(pod).overhead().orZero("memory").value();
  }
}

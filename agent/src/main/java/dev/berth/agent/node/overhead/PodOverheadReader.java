package dev.berth.agent.node.overhead;

import dev.berth.agent.runtimes.PodLookup;
import dev.berth.agent.runtimes.RuntimeServices;
import dev.berth.agent.usage.ContainerUsage;
import dev.berth.agent.usage.UsageReader;
import dev.berth.agent.usage.UsageReader.Everything;
import dev.berth.agent.usage.UsageReader.SandboxUse;
import dev.berth.api.pods.PodView;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Reads what the sandboxes of this node's pods use beyond their containers. Runtimes that do not
/// report the usage of whole sandboxes are left out.
public record PodOverheadReader(
    UsageReader reader, RuntimeServices runtimes, Supplier<List<Pod>> pods) {

  OverheadReading read() {
    Everything everything = reader.readAll();
    Map<String, List<ContainerUsage>> containers = everything.usage().byPod();
    List<SandboxSample> samples = new ArrayList<>();
    for (Pod pod : pods.get()) {
      String uid = pod.getMetadata().getUid();
      sample(pod, containers.getOrDefault(uid, List.of()), everything.sandboxes().get(uid))
          .ifPresent(samples::add);
    }
    return new OverheadReading(everything.usage().time(), samples);
  }

  private Optional<SandboxSample> sample(
      Pod pod, List<ContainerUsage> own, @Nullable SandboxUse whole) {
    String uid = pod.getMetadata().getUid();
    if (whole == null
        || own.isEmpty()
        || !(runtimes.find(uid) instanceof PodLookup.Found(_, String handler))) {
      return Optional.empty();
    }
    long memory = whole.memory();
    long cpu = whole.cpu();
    Map<String, Instant> running = new HashMap<>();
    for (ContainerUsage one : own) {
      memory -= one.use().memory();
      cpu -= one.use().cpu();
      running.put(one.container(), one.madeAt());
    }
    // The parts are read one after the other: a container that grows meanwhile outgrows the whole.
    if (memory < 0) {
      return Optional.empty();
    }
    String name = pod.getSpec().getRuntimeClassName();
    return Optional.of(
        new SandboxSample(
            uid,
            handler,
            name == null ? "" : name,
            PodView.of(pod).overhead(),
            memory,
            cpu,
            running));
  }
}

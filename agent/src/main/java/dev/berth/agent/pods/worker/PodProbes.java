package dev.berth.agent.pods.worker;

import dev.berth.agent.events.PodEvents;
import dev.berth.agent.pods.act.StepContext;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.plan.DesiredState;
import dev.berth.agent.pods.plan.PodPart;
import dev.berth.agent.probes.ProbeWorkers;
import dev.berth.agent.probes.ProbeWorkers.Verdict;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Starts and stops the probes of one pod's containers. Confined to the worker's thread.
final class PodProbes {
  private final NodeSettings node;
  private final ProbeWorkers probes;
  private final PodEvents events;
  private final Runnable changed;
  private final Map<String, Verdict> verdicts = new HashMap<>();

  /// The ids of containers that are probed.
  private final Set<String> probed = new HashSet<>();

  /// @param changed called on another thread when a verdict changes; must not block
  PodProbes(NodeSettings node, ProbeWorkers probes, PodEvents events, Runnable changed) {
    this.node = node;
    this.probes = probes;
    this.events = events;
    this.changed = changed;
  }

  /// Probes the running containers, and returns the verdicts so far by container id.
  ///
  /// @param starting containers whose postStart hook has not ended: they are not probed yet
  Map<String, Verdict> update(
      StepContext stepContext, DesiredState desired, Set<PodPart> starting) {
    verdicts.clear();
    for (ObservedContainer container : stepContext.observed().containers()) {
      if (container.isRunning() && !starting.contains(PodPart.container(container.name()))) {
        probed.add(container.id());
        follow(stepContext, container);
        if (desired instanceof DesiredState.Stop) {
          probes.stopping(container.id());
        }
        verdicts.put(container.id(), probes.verdict(container.id()));
      }
    }
    probed.stream().filter(id -> !verdicts.containsKey(id)).toList().forEach(this::forget);
    return verdicts();
  }

  /// The verdicts of the last update.
  Map<String, Verdict> verdicts() {
    return Map.copyOf(verdicts);
  }

  private void follow(StepContext stepContext, ObservedContainer container) {
    Pod pod = stepContext.pod();
    PodStatusBuilder.containers(pod)
        .filter(one -> one.getName().equals(container.name()))
        .findFirst()
        .ifPresent(
            spec ->
                probes.follow(
                    new ProbeWorkers.Subject(
                        pod,
                        spec,
                        container.id(),
                        Objects.requireNonNullElse(container.startedAt(), container.createdAt()),
                        stepContext.addresses(node),
                        stepContext.service()),
                    new ProbeEvents(pod, container.name())));
  }

  private void forget(String id) {
    probed.remove(id);
    probes.forget(id);
  }

  /// Stops all probes of the pod.
  void stop() {
    List.copyOf(probed).forEach(this::forget);
  }

  private final class ProbeEvents implements ProbeWorkers.ProbeListener {
    private final Pod pod;
    private final String container;

    ProbeEvents(Pod pod, String container) {
      this.pod = pod;
      this.container = container;
    }

    @Override
    public void changed() {
      changed.run();
    }

    @Override
    public void failed(String what) {
      events.warning(pod, container, "Unhealthy", what);
    }

    @Override
    public void doubted(String what) {
      events.warning(pod, container, "ProbeWarning", what);
    }
  }
}

package dev.berth.agent.pods;

import dev.berth.agent.cgroups.PodCgroups;
import dev.berth.agent.images.ImageMemory;
import dev.berth.agent.pods.metrics.PodMetrics;
import dev.berth.agent.pressure.NodePressure;
import dev.berth.agent.probes.ProbeWorkers;
import dev.berth.agent.runtimes.RuntimeServices;
import dev.berth.agent.volumes.PodVolumes;
import dev.berth.client.ApiClient;
import dev.berth.client.DelayedActions;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/// What the life of pods depends on; all of it stays open when the pod agent is closed.
///
/// @param images what is remembered about images; nobody else writes it
/// @param random used by many threads, as [java.util.Random] may be
/// @param pressure looked at by the pod agent
public record AgentDependencies(
    ApiClient client,
    RuntimeServices runtimes,
    ImageMemory images,
    PodVolumes volumes,
    PodCgroups cgroups,
    ProbeWorkers probes,
    DelayedActions delays,
    InstantSource clock,
    RandomGenerator random,
    NodePressure pressure,
    PodMetrics metrics) {
  /// Of a node that is never short of anything, and that nobody measures.
  public AgentDependencies(
      ApiClient client,
      RuntimeServices runtimes,
      ImageMemory images,
      PodVolumes volumes,
      PodCgroups cgroups,
      ProbeWorkers probes,
      DelayedActions delays,
      InstantSource clock,
      RandomGenerator random) {
    this(
        client,
        runtimes,
        images,
        volumes,
        cgroups,
        probes,
        delays,
        clock,
        random,
        NodePressure.none(),
        new PodMetrics(new PrometheusRegistry()));
  }

  public AgentDependencies with(NodePressure other, PodMetrics counts) {
    return new AgentDependencies(
        client, runtimes, images, volumes, cgroups, probes, delays, clock, random, other, counts);
  }
}

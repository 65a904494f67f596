package dev.berth.agent.pods;

import dev.berth.agent.cgroups.PodCgroups;
import dev.berth.agent.pressure.NodePressure;
import dev.berth.agent.probes.Probes;
import dev.berth.agent.runtimes.Runtimes;
import dev.berth.agent.volumes.PodVolumes;
import dev.berth.client.ApiClient;
import dev.berth.client.Delays;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/// What the life of pods depends on; all of it stays open when the pod agent is closed.
///
/// @param random used by many threads, as [java.util.Random] may be
/// @param pressure looked at by the pod agent
public record PodSurroundings(
    ApiClient client,
    Runtimes runtimes,
    PodVolumes volumes,
    PodCgroups cgroups,
    Probes probes,
    Delays delays,
    InstantSource clock,
    RandomGenerator random,
    NodePressure pressure,
    PodMetrics metrics) {
  /// Of a node that is never short of anything, and that nobody measures.
  public PodSurroundings(
      ApiClient client,
      Runtimes runtimes,
      PodVolumes volumes,
      PodCgroups cgroups,
      Probes probes,
      Delays delays,
      InstantSource clock,
      RandomGenerator random) {
    this(
        client,
        runtimes,
        volumes,
        cgroups,
        probes,
        delays,
        clock,
        random,
        NodePressure.none(),
        new PodMetrics(new PrometheusRegistry()));
  }

  public PodSurroundings with(NodePressure other, PodMetrics counts) {
    return new PodSurroundings(
        client, runtimes, volumes, cgroups, probes, delays, clock, random, other, counts);
  }
}

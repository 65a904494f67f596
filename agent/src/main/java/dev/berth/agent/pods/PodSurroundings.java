package dev.berth.agent.pods;

import dev.berth.agent.cgroups.PodCgroups;
import dev.berth.agent.probes.Probes;
import dev.berth.agent.runtimes.Runtimes;
import dev.berth.agent.volumes.PodVolumes;
import dev.berth.client.ApiClient;
import dev.berth.client.Delays;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/// What the life of pods depends on; all of it stays open when the pod agent is closed.
///
/// @param random used by many threads, as [java.util.Random] may be
public record PodSurroundings(
    ApiClient client,
    Runtimes runtimes,
    PodVolumes volumes,
    PodCgroups cgroups,
    Probes probes,
    Delays delays,
    InstantSource clock,
    RandomGenerator random) {}

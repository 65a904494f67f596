package dev.berth.agent.pods;

import dev.berth.agent.events.EventWriter;
import dev.berth.agent.images.ImageCollector;
import dev.berth.agent.pods.eviction.DiskReclaim;
import dev.berth.agent.pods.eviction.EvictedPods;
import dev.berth.agent.pods.eviction.EvictionChoice;
import dev.berth.agent.pods.eviction.PodEviction;
import dev.berth.agent.pods.eviction.PodUsageReader;
import dev.berth.agent.pods.eviction.StorageLimitCheck;
import dev.berth.agent.pods.logs.LogLinks;
import dev.berth.agent.pods.logs.LogRotation;
import dev.berth.agent.pods.worker.PodGuard;
import dev.berth.agent.pods.worker.PodWorkers;
import dev.berth.agent.pods.worker.ServiceObservers;
import dev.berth.agent.usage.ResourceUsage;
import dev.berth.agent.usage.UsageReader;

/// What is done for the node as a whole, beside the lives of its pods: images and logs stay within
/// bounds, and pods go when room runs short.
record NodeHousekeeping(ImageCollector images, LogRotation logs, PodEviction evictions)
    implements AutoCloseable {
  static NodeHousekeeping start(
      PodAgentConfig config,
      AgentDependencies dependencies,
      PodWorkers workers,
      ServiceObservers observers,
      EventWriter events) {
    ImageCollector images =
        ImageCollector.start(
            dependencies.runtimes(),
            config.pulls().host(),
            config.settings().housekeeping().images(),
            dependencies.images(),
            dependencies.delays(),
            dependencies.clock());
    LogRotation logs =
        LogRotation.start(
            observers,
            config.settings().housekeeping().logs(),
            new LogLinks(config.node().logs()),
            dependencies.delays(),
            dependencies.clock());
    PodEviction evictions = eviction(config, dependencies, workers, observers, images, events);
    evictions.start();
    return new NodeHousekeeping(images, logs, evictions);
  }

  private static PodEviction eviction(
      PodAgentConfig config,
      AgentDependencies dependencies,
      PodWorkers workers,
      ServiceObservers observers,
      ImageCollector images,
      EventWriter events) {
    PodUsageReader meter =
        new PodUsageReader(
            config.node(),
            dependencies.volumes(),
            new UsageReader(
                config.node().name(),
                dependencies.runtimes(),
                () -> ResourceUsage.NONE,
                dependencies.clock()));
    PodGuard guard = new PodGuard("eviction");
    return new PodEviction(
        workers::specifications,
        dependencies.pressure(),
        new StorageLimitCheck(dependencies.volumes(), meter, guard),
        new EvictionChoice(dependencies.runtimes(), meter, guard),
        new EvictedPods(workers, observers, dependencies.metrics()),
        new DiskReclaim(workers, observers, images),
        events,
        dependencies.delays(),
        dependencies.clock());
  }

  @Override
  public void close() {
    images.close();
    logs.close();
    evictions.close();
  }
}

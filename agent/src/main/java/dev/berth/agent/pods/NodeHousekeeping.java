package dev.berth.agent.pods;

import dev.berth.agent.events.EventWriter;
import dev.berth.agent.images.ImageCollector;

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
            dependencies.runtimes(), config.images(), dependencies.delays(), dependencies.clock());
    LogRotation logs =
        LogRotation.start(
            observers,
            config.logs(),
            new LogLinks(config.node().logs()),
            dependencies.delays(),
            dependencies.clock());
    PodEviction evictions =
        PodEviction.start(
            config.node(),
            dependencies,
            workers,
            observers,
            new DiskReclaim(workers, observers, images),
            events);
    return new NodeHousekeeping(images, logs, evictions);
  }

  @Override
  public void close() {
    images.close();
    logs.close();
    evictions.close();
  }
}

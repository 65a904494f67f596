package dev.berth.agent.pods;

import dev.berth.agent.events.EventWriter;
import dev.berth.agent.images.ImageCollector;

/// What is done for the node as a whole, beside the lives of its pods: images and logs stay within
/// bounds, and pods go when room runs short.
record Upkeep(ImageCollector images, LogRotation logs, Evictions evictions)
    implements AutoCloseable {
  static Upkeep start(
      PodAgentConfig config,
      PodSurroundings surroundings,
      PodWorkers workers,
      Observers observers,
      EventWriter events) {
    ImageCollector images =
        ImageCollector.start(
            surroundings.runtimes(), config.images(), surroundings.delays(), surroundings.clock());
    LogRotation logs =
        LogRotation.start(
            observers,
            config.logs(),
            new LogLinks(config.node().logs()),
            surroundings.delays(),
            surroundings.clock());
    Evictions evictions =
        Evictions.start(
            config.node(),
            surroundings,
            workers,
            observers,
            new Reclaiming(workers, observers, images),
            events);
    return new Upkeep(images, logs, evictions);
  }

  @Override
  public void close() {
    images.close();
    logs.close();
    evictions.close();
  }
}

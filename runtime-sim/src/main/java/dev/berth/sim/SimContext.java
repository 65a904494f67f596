package dev.berth.sim;

import dev.berth.cri.CriTransport;
import dev.berth.cri.serving.RandomIds;
import dev.berth.cri.streaming.StreamingServer;
import dev.berth.sim.images.RegistryHost;
import dev.berth.sim.images.RemoteImages;
import dev.berth.sim.registry.RegistryImages;
import dev.berth.sim.time.ScheduledTimeline;
import dev.berth.sim.time.SimClock;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/// What all simulated services of a process share: threads, clock, source of randomness, HTTP
/// client.
public final class SimContext implements AutoCloseable {
  private final CriTransport transport = new CriTransport();
  private final SimClock timeline;
  private final Runnable stopTime;
  private final RandomIds ids;
  private final StreamingServer streaming;
  private final ReentrantLock lock = new ReentrantLock();

  /// The clients of registries: all services with the same registries share one. Guarded by the
  /// lock.
  private final Map<List<RegistryHost>, RegistryImages> registries = new HashMap<>();

  public SimContext(InstantSource clock, RandomGenerator random) {
    ScheduledTimeline scheduled = new ScheduledTimeline(clock);
    this.timeline = scheduled;
    this.stopTime = scheduled::close;
    this.ids = new RandomIds(random);
    this.streaming = streaming(transport, timeline, ids);
  }

  /// A context for tests that move time by hand.
  public SimContext(SimClock timeline, RandomGenerator random) {
    this.timeline = timeline;
    this.stopTime = () -> {};
    this.ids = new RandomIds(random);
    this.streaming = streaming(transport, timeline, ids);
  }

  private static StreamingServer streaming(
      CriTransport transport, SimClock timeline, RandomIds ids) {
    return new StreamingServer(transport, ids::token, timeline::after);
  }

  CriTransport transport() {
    return transport;
  }

  SimClock timeline() {
    return timeline;
  }

  /// The client is made for the first service that has these registries.
  RemoteImages registries(List<RegistryHost> hosts) {
    if (hosts.isEmpty()) {
      return RemoteImages.NONE;
    }
    lock.lock();
    try {
      return registries.computeIfAbsent(List.copyOf(hosts), RegistryImages::new);
    } finally {
      lock.unlock();
    }
  }

  StreamingServer streaming() {
    return streaming;
  }

  RandomIds ids() {
    return ids;
  }

  /// Closes the shared resources; the caller closes the simulators first. The streaming server uses
  /// the event loops, so it closes before them.
  @Override
  public void close() {
    streaming.close();
    closeRegistries();
    stopTime.run();
    transport.close();
  }

  private void closeRegistries() {
    lock.lock();
    try {
      registries.values().forEach(RegistryImages::close);
      registries.clear();
    } finally {
      lock.unlock();
    }
  }
}

package dev.berth.sim;

import dev.berth.cri.CriTransport;
import dev.berth.sim.model.Ids;
import dev.berth.sim.streams.StreamingServer;
import dev.berth.sim.time.ScheduledTimeline;
import dev.berth.sim.time.Timeline;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/// What simulated services share, one or a thousand of them: threads, time, randomness.
public final class SimWorld implements AutoCloseable {
  private final CriTransport transport = new CriTransport();
  private final Timeline timeline;
  private final Runnable stopTime;
  private final Ids ids;
  private final StreamingServer streaming;

  public SimWorld(InstantSource clock, RandomGenerator random) {
    ScheduledTimeline scheduled = new ScheduledTimeline(clock);
    this.timeline = scheduled;
    this.stopTime = scheduled::close;
    this.ids = new Ids(random);
    this.streaming = new StreamingServer(timeline, ids);
  }

  /// For tests that move time by hand.
  public SimWorld(Timeline timeline, RandomGenerator random) {
    this.timeline = timeline;
    this.stopTime = () -> {};
    this.ids = new Ids(random);
    this.streaming = new StreamingServer(timeline, ids);
  }

  CriTransport transport() {
    return transport;
  }

  Timeline timeline() {
    return timeline;
  }

  StreamingServer streaming() {
    return streaming;
  }

  Ids ids() {
    return ids;
  }

  /// Close the simulators first.
  @Override
  public void close() {
    streaming.close();
    stopTime.run();
    transport.close();
  }
}

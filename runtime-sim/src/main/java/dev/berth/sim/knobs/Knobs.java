package dev.berth.sim.knobs;

import dev.berth.sim.images.PullSpeed;
import dev.berth.sim.profile.Handler;
import dev.berth.sim.profile.Profile;
import java.util.List;
import java.util.function.DoubleSupplier;

/// Everything about one service that may change while it runs; reads are free of locks.
public final class Knobs {
  private final Faults faults;
  private final Exits exits;
  private volatile Profile profile;
  private volatile PullSpeed pulls = PullSpeed.INSTANT;
  private volatile boolean events = true;
  private volatile Condition runtime = Condition.READY;
  private volatile Condition network = Condition.READY;

  public Knobs(Profile profile, DoubleSupplier chance) {
    this.profile = profile;
    this.faults = new Faults(chance);
    this.exits = new Exits(chance);
  }

  public Faults faults() {
    return faults;
  }

  public Exits exits() {
    return exits;
  }

  public Profile profile() {
    return profile;
  }

  /// Pods that run stay; new ones see the new handlers.
  public void handlers(List<Handler> handlers) {
    profile = profile.withHandlers(handlers);
  }

  public PullSpeed pulls() {
    return pulls;
  }

  public void pulls(PullSpeed speed) {
    pulls = speed;
  }

  /// Whether there is a stream of events; without one, `GetContainerEvents` is not implemented.
  public boolean events() {
    return events;
  }

  public void events(boolean on) {
    events = on;
  }

  public Condition runtime() {
    return runtime;
  }

  public void runtime(Condition condition) {
    runtime = condition;
  }

  public Condition network() {
    return network;
  }

  public void network(Condition condition) {
    network = condition;
  }
}

package dev.berth.sim.knobs;

import dev.berth.sim.images.PullSpeed;
import dev.berth.sim.profile.SimHandler;
import dev.berth.sim.profile.SimProfile;
import java.util.List;
import java.util.function.DoubleSupplier;

/// The settings of one service that can change while it runs. Each field is volatile or guards
/// itself, so calls read without a lock.
public final class ServiceKnobs {
  private final FaultRules faults;
  private final ExitRules exits;
  private volatile SimProfile profile;
  private volatile PullSpeed pulls = PullSpeed.INSTANT;
  private volatile boolean events = true;
  private volatile SimCondition runtime = SimCondition.READY;
  private volatile SimCondition network = SimCondition.READY;

  public ServiceKnobs(SimProfile profile, DoubleSupplier chance) {
    this.profile = profile;
    this.faults = new FaultRules(chance);
    this.exits = new ExitRules(chance);
  }

  public FaultRules faults() {
    return faults;
  }

  public ExitRules exits() {
    return exits;
  }

  public SimProfile profile() {
    return profile;
  }

  /// Replaces the handlers. Existing pods keep theirs.
  public void handlers(List<SimHandler> handlers) {
    profile = profile.withHandlers(handlers);
  }

  public PullSpeed pulls() {
    return pulls;
  }

  public void pulls(PullSpeed speed) {
    pulls = speed;
  }

  /// Whether the service has an event stream. Without it, `GetContainerEvents` is not implemented.
  public boolean events() {
    return events;
  }

  public void events(boolean on) {
    events = on;
  }

  public SimCondition runtime() {
    return runtime;
  }

  public void runtime(SimCondition condition) {
    runtime = condition;
  }

  public SimCondition network() {
    return network;
  }

  public void network(SimCondition condition) {
    network = condition;
  }
}

package dev.berth.agent.pressure;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The pressure of a node: one thread updates it, any thread reads it.
public final class NodePressure {
  private static final Logger log = LoggerFactory.getLogger(NodePressure.class);

  /// A node without thresholds.
  public static NodePressure none() {
    return new NodePressure(PressureRules.NONE, SignalSource.NONE);
  }

  private final PressureRules rules;
  private final SignalSource signals;
  private final List<Runnable> followers = new CopyOnWriteArrayList<>();
  private volatile PressureWatch watch = PressureWatch.CALM;

  public NodePressure(PressureRules rules, SignalSource signals) {
    this.rules = rules;
    this.signals = signals;
  }

  public PressureRules rules() {
    return rules;
  }

  public SignalReadings read() {
    return signals.read();
  }

  /// Takes in readings. Called by one thread.
  public PressureWatch note(SignalReadings readings, Instant now) {
    PressureWatch before = watch;
    PressureWatch next = before.next(rules, readings, now);
    watch = next;
    if (!next.pressures().equals(before.pressures())) {
      log.info("node pressure changed conditions={}", next.pressures());
      followers.forEach(Runnable::run);
    }
    return next;
  }

  /// The current conditions of the node.
  public Set<PressureCondition> pressures() {
    return watch.pressures();
  }

  /// Calls the listener when the conditions change.
  public void follow(Runnable listener) {
    followers.add(listener);
  }
}

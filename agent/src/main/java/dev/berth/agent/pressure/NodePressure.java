package dev.berth.agent.pressure;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How a node is, looked at by one thread and asked by any.
public final class NodePressure {
  private static final Logger log = LoggerFactory.getLogger(NodePressure.class);

  /// Of a node that is never short of anything.
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

  /// Takes note of readings; to be called by one thread.
  public PressureWatch note(SignalReadings readings, Instant now) {
    PressureWatch before = watch;
    PressureWatch next = before.next(rules, readings, now);
    watch = next;
    if (!next.pressures().equals(before.pressures())) {
      log.info("pressure on the node changed conditions={}", next.pressures());
      followers.forEach(Runnable::run);
    }
    return next;
  }

  /// The conditions that the node shows.
  public Set<PressureCondition> pressures() {
    return watch.pressures();
  }

  /// Has someone told when these change.
  public void follow(Runnable told) {
    followers.add(told);
  }
}

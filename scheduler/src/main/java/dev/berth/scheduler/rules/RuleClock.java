package dev.berth.scheduler.rules;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/// Counts the calls of each rule, and measures their time in one attempt out of many.
///
/// A decision takes a microsecond or two, as long as a few dozen reads of the system clock, so that
/// most attempts only count. One thread at a time may measure; any thread may read the counts.
public final class RuleClock {
  /// Called for every rule of a measured attempt.
  @FunctionalInterface
  public interface Times {
    void took(SchedulingRule rule, boolean passed, long nanos);
  }

  private final Times times;
  private final int every;
  private final Map<SchedulingRule, AtomicLong> asked = new EnumMap<>(SchedulingRule.class);
  private final Map<ExtensionPoint, Long> spent = new EnumMap<>(ExtensionPoint.class);
  private int attempt;
  private boolean measuring;

  /// @param every measures one attempt out of this many, the first one included
  public RuleClock(int every, Times times) {
    this.every = every;
    this.times = times;
    for (SchedulingRule rule : SchedulingRule.values()) {
      asked.put(rule, new AtomicLong());
    }
  }

  /// A clock without a listener.
  public static RuleClock unread() {
    return new RuleClock(1, (_, _, _) -> {});
  }

  /// Begins an attempt.
  public void start() {
    measuring = attempt == 0;
    attempt = attempt + 1 == every ? 0 : attempt + 1;
    if (measuring) {
      spent.clear();
    }
  }

  /// Ends an attempt; returns the time of its steps, empty when it was not measured.
  public Map<ExtensionPoint, Long> stop() {
    if (!measuring) {
      return Map.of();
    }
    measuring = false;
    return new EnumMap<>(spent);
  }

  /// Must be called before a rule; the result is an argument of [#end].
  public long begin(SchedulingRule rule) {
    AtomicLong count = Objects.requireNonNull(asked.get(rule));
    // There is one writer, so that this increment loses nothing and costs no more than a plain one.
    count.setOpaque(count.getPlain() + 1);
    return measuring ? System.nanoTime() : 0;
  }

  public void end(SchedulingRule rule, boolean passed, long begun) {
    if (measuring) {
      long nanos = System.nanoTime() - begun;
      spent.merge(rule.point(), nanos, Long::sum);
      times.took(rule, passed, nanos);
    }
  }

  /// The number of calls of each rule, without rules that were never called.
  public Map<SchedulingRule, Long> asked() {
    Map<SchedulingRule, Long> counts = new EnumMap<>(SchedulingRule.class);
    asked.forEach(
        (rule, count) -> {
          if (count.getOpaque() > 0) {
            counts.put(rule, count.getOpaque());
          }
        });
    return counts;
  }
}

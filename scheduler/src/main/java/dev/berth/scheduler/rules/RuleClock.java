package dev.berth.scheduler.rules;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/// Counts how often each rule is asked, and measures how long it takes in one attempt out of many.
///
/// A decision takes a microsecond or two, as long as a few dozen looks at the system's clock; so
/// most attempts only count. One thread at a time may ask; counts may be read by any.
public final class RuleClock {
  /// Is told of every rule that was asked in an attempt that is measured.
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

  /// @param every one attempt out of so many is measured, the first one included
  public RuleClock(int every, Times times) {
    this.every = every;
    this.times = times;
    for (SchedulingRule rule : SchedulingRule.values()) {
      asked.put(rule, new AtomicLong());
    }
  }

  /// A clock that nobody reads.
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

  /// Ends an attempt; says how long its steps took, or nothing when it was not measured.
  public Map<ExtensionPoint, Long> stop() {
    if (!measuring) {
      return Map.of();
    }
    measuring = false;
    return new EnumMap<>(spent);
  }

  /// To be called before a rule is asked; what it returns is for [#end].
  public long begin(SchedulingRule rule) {
    AtomicLong count = Objects.requireNonNull(asked.get(rule));
    // There is one writer, so this loses nothing and costs no more than a plain increment.
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

  /// How often each rule has been asked; those never asked are left out.
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

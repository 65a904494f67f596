package dev.berth.sim.knobs;

import dev.berth.sim.knobs.FaultRule.Facts;
import dev.berth.sim.knobs.FaultRule.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;

/// The fault rules in force, and their combined effect on a call. Any thread may call it; rules are
/// read far more often than changed.
public final class FaultRules {
  /// A rule in force.
  ///
  /// @param acted how many calls the rule has affected
  public record Entry(int id, FaultRule rule, long acted) {}

  /// The combined effect of all matching rules on one call.
  ///
  /// @param hang opens when the rule is removed; empty when the call does not hang
  public record Effect(
      Duration latency, Optional<Failure> failure, Optional<CountDownLatch> hang) {}

  private static final Effect NONE = new Effect(Duration.ZERO, Optional.empty(), Optional.empty());

  private record Active(int id, FaultRule rule, RuleCounter ruleCounter, CountDownLatch removed) {}

  private final DoubleSupplier chance;
  private final AtomicInteger ids = new AtomicInteger();
  private final List<Active> rules = new CopyOnWriteArrayList<>();

  public FaultRules(DoubleSupplier chance) {
    this.chance = chance;
  }

  /// Adds a rule and returns its id.
  public int add(FaultRule rule) {
    int id = ids.incrementAndGet();
    rules.add(
        new Active(id, rule, new RuleCounter(rule.frequency(), chance), new CountDownLatch(1)));
    return id;
  }

  /// Removes a rule and releases the calls that it holds up; returns false when the rule does not
  /// exist.
  public boolean remove(int id) {
    Optional<Active> found = rules.stream().filter(active -> active.id == id).findFirst();
    found.ifPresent(
        active -> {
          rules.remove(active);
          active.removed.countDown();
        });
    return found.isPresent();
  }

  public void clear() {
    List<Active> all = List.copyOf(rules);
    rules.removeAll(all);
    all.forEach(active -> active.removed.countDown());
  }

  public List<Entry> list() {
    return rules.stream()
        .map(active -> new Entry(active.id, active.rule, active.ruleCounter.acted()))
        .toList();
  }

  /// Latencies of matching rules add up. The first failure or hang wins.
  public Effect on(String call, Facts facts) {
    Effect sum = NONE;
    for (Active active : rules) {
      FaultRule rule = active.rule;
      if (rule.call().fits(call) && rule.subject().fits(facts) && active.ruleCounter.acts()) {
        boolean open = sum.failure().isEmpty() && sum.hang().isEmpty();
        sum =
            new Effect(
                sum.latency().plus(latency(rule)),
                open ? rule.failure() : sum.failure(),
                open && rule.hang() ? Optional.of(active.removed) : sum.hang());
      }
    }
    return sum;
  }

  private Duration latency(FaultRule rule) {
    return rule.jitter().isZero()
        ? rule.latency()
        : rule.latency().plusNanos((long) (rule.jitter().toNanos() * chance.getAsDouble()));
  }
}

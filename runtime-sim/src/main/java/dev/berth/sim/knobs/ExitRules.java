package dev.berth.sim.knobs;

import dev.berth.sim.knobs.ExitRule.Exit;
import dev.berth.sim.knobs.FaultRule.Facts;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;

/// The exit rules in force. Containers look at them once, when they start.
///
/// Any thread may call it. A rule whose counter is exhausted lets the next matching rule act.
public final class ExitRules {
  /// A rule in force.
  ///
  /// @param acted how many containers the rule has ended
  public record Entry(int id, ExitRule rule, long acted) {}

  private record Active(int id, ExitRule rule, RuleCounter ruleCounter) {}

  private final DoubleSupplier chance;
  private final AtomicInteger ids = new AtomicInteger();
  private final List<Active> rules = new CopyOnWriteArrayList<>();

  public ExitRules(DoubleSupplier chance) {
    this.chance = chance;
  }

  /// Adds a rule and returns its id. The rule applies to containers that start from now on.
  public int add(ExitRule rule) {
    int id = ids.incrementAndGet();
    rules.add(new Active(id, rule, new RuleCounter(rule.frequency(), chance)));
    return id;
  }

  /// Removes a rule; returns false when it does not exist.
  public boolean remove(int id) {
    return rules.removeIf(active -> active.id == id);
  }

  public void clear() {
    rules.clear();
  }

  public List<Entry> list() {
    return rules.stream()
        .map(active -> new Entry(active.id, active.rule, active.ruleCounter.acted()))
        .toList();
  }

  /// How a container that starts now will end, if a rule matches it. The first match wins.
  public Optional<Exit> on(Facts facts) {
    for (Active active : rules) {
      ExitRule rule = active.rule;
      boolean fits =
          rule.namespace().fits(facts.namespace())
              && rule.pod().fits(facts.pod())
              && rule.container().fits(facts.container())
              && rule.image().fits(facts.image());
      if (fits && active.ruleCounter.acts()) {
        return Optional.of(rule.exit());
      }
    }
    return Optional.empty();
  }
}

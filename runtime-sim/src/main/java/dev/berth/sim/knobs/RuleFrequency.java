package dev.berth.sim.knobs;

/// How often a rule acts.
///
/// @param after lets so many pass first
/// @param count acts so many times, then no more; 0 is without end
/// @param probability of acting, each time, from 0 to 1
public record RuleFrequency(long after, long count, double probability) {
  public static final RuleFrequency ALWAYS = new RuleFrequency(0, 0, 1);
}

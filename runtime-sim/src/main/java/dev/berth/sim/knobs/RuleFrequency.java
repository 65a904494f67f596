package dev.berth.sim.knobs;

/// How often a rule takes effect.
///
/// @param after number of matches that pass first
/// @param count number of times that the rule takes effect; 0 means without limit
/// @param probability that a match takes effect, from 0 to 1
public record RuleFrequency(long after, long count, double probability) {
  public static final RuleFrequency ALWAYS = new RuleFrequency(0, 0, 1);
}

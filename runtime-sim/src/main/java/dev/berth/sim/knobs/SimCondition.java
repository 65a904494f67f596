package dev.berth.sim.knobs;

/// What the runtime says about one part of itself.
public record SimCondition(boolean ready, String reason, String message) {
  public static final SimCondition READY = new SimCondition(true, "", "");
}

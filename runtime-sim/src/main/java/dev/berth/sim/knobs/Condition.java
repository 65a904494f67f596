package dev.berth.sim.knobs;

/// What the runtime says about one part of itself.
public record Condition(boolean ready, String reason, String message) {
  public static final Condition READY = new Condition(true, "", "");
}

package dev.berth.sim.knobs;

/// A condition that `Status` reports, such as the readiness of the network. Agents compare its
/// reason and show its message.
public record SimCondition(boolean ready, String reason, String message) {
  public static final SimCondition READY = new SimCondition(true, "", "");
}

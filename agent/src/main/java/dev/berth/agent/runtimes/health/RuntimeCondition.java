package dev.berth.agent.runtimes.health;

/// A condition that a runtime reports.
///
/// @param type `RuntimeReady`, `NetworkReady`, or one of the runtime's own
public record RuntimeCondition(String type, boolean status, String reason, String message) {
  public static final String COMPUTE = "RuntimeReady";
  public static final String NETWORK = "NetworkReady";
}

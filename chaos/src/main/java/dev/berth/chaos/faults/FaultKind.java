package dev.berth.chaos.faults;

/// The kinds of faults, as options and reports name them.
public enum FaultKind {
  KILL("kill -9"),
  POWER_CUT("power cut"),
  STOP("SIGSTOP"),
  FULL_DISK("full disk"),
  CLOCK_JUMP("clock jump"),
  NETWORK_CUT("network cut"),
  HOSTILE_CLIENT("hostile client"),
  HOSTILE_RUNTIME("hostile runtime");

  private final String title;

  FaultKind(String title) {
    this.title = title;
  }

  @Override
  public String toString() {
    return title;
  }
}

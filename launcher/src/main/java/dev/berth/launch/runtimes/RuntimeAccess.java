package dev.berth.launch.runtimes;

/// The runtime services that an agent may use beside those that it is given.
///
/// @param givenOnly none that the data directory has recorded or registered: for a simulation
/// @param besideKubelet also those that a kubelet uses
public record RuntimeAccess(boolean givenOnly, boolean besideKubelet) {
  public static final RuntimeAccess USUAL = new RuntimeAccess(false, false);
}

package dev.berth.launch.runtimes;

/// The origin of the runtimes of `berth up` when none are named.
public enum RuntimeSource {
  /// Runtimes that run on this machine, else a private containerd, else the simulator.
  ANY,
  /// A private containerd, whatever else runs on this machine.
  PRIVATE,
  SIMULATED
}

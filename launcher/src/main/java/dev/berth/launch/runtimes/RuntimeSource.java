package dev.berth.launch.runtimes;

/// Where `berth up` may take its runtimes from when none are named.
public enum RuntimeSource {
  /// Those that run on this machine, else one of its own, else the simulator.
  ANY,
  /// A containerd of its own, whatever else runs here.
  PRIVATE,
  SIMULATED
}

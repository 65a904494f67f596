package dev.berth.sim.model;

/// Whoever keeps something in sandboxes beside containers; called under the machine's lock.
public interface SandboxListener {
  void stopped(Sandbox sandbox);

  void removed(Sandbox sandbox);
}

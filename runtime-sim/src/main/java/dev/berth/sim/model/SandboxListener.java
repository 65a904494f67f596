package dev.berth.sim.model;

/// Whoever keeps something in sandboxes beside containers; called under the machine's lock.
public interface SandboxListener {
  void stopped(SimSandbox sandbox);

  void removed(SimSandbox sandbox);
}

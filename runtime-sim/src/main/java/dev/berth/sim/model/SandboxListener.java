package dev.berth.sim.model;

/// Learns when sandboxes stop and go, to end what it keeps in them. Called under the machine's
/// lock.
public interface SandboxListener {
  void stopped(SimSandbox sandbox);

  void removed(SimSandbox sandbox);
}

package dev.berth.sim.model;

/// Learns when sandboxes stop and are removed, to end what it keeps in them. Callers hold the
/// machine's lock, so the methods must not block. Both may be called for a sandbox that is stopped
/// already.
public interface SandboxListener {
  void stopped(SimSandbox sandbox);

  void removed(SimSandbox sandbox);
}

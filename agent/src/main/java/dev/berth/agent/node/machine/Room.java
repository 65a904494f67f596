package dev.berth.agent.node.machine;

/// How much is left on the machine, in bytes; the thresholds are the kubelet's.
public record Room(long memory, long storage, long storageOfAll) {
  private static final long MEMORY = 100L << 20;
  private static final double STORAGE = 0.1;

  public boolean isMemoryShort() {
    return memory < MEMORY;
  }

  public boolean isStorageShort() {
    return storage < STORAGE * storageOfAll;
  }
}

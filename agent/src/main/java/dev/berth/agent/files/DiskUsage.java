package dev.berth.agent.files;

/// Occupied bytes and inodes.
public record DiskUsage(long bytes, long inodes) {
  public static final DiskUsage NONE = new DiskUsage(0, 0);

  public DiskUsage plus(DiskUsage other) {
    return new DiskUsage(bytes + other.bytes, inodes + other.inodes);
  }
}

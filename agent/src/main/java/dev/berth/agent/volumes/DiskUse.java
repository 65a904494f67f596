package dev.berth.agent.volumes;

/// What something takes of a disk.
public record DiskUse(long bytes, long inodes) {
  public static final DiskUse NONE = new DiskUse(0, 0);

  public DiskUse plus(DiskUse other) {
    return new DiskUse(bytes + other.bytes, inodes + other.inodes);
  }
}

package dev.berth.agent.files;

/// The status of a file, a directory or a symbolic link.
///
/// @param mode type and permissions, as `st_mode`
/// @param links the number of its names
/// @param blocks occupied units of 512 bytes
/// @param mount its mount; 0 where the kernel does not report it (before 5.8)
public record FileStatus(
    int mode,
    int user,
    int group,
    int links,
    long size,
    long blocks,
    long device,
    long inode,
    long mount) {
  private static final int TYPE = 0170000;
  private static final int DIRECTORY = 0040000;
  private static final int REGULAR = 0100000;
  private static final int LINK = 0120000;

  public boolean isDirectory() {
    return (mode & TYPE) == DIRECTORY;
  }

  public boolean isRegularFile() {
    return (mode & TYPE) == REGULAR;
  }

  public boolean isSymbolicLink() {
    return (mode & TYPE) == LINK;
  }

  /// The permission bits.
  public int permissions() {
    return mode & 07777;
  }

  /// Whether both describe the same file, however it was found.
  public boolean isSameFile(FileStatus other) {
    return device == other.device && inode == other.inode;
  }

  /// Whether both are on the same mount.
  boolean isOnSameMount(FileStatus other) {
    return device == other.device && mount == other.mount;
  }
}

package dev.berth.agent.files;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.HashSet;
import java.util.Set;

/// Measures a directory tree like `du`: occupied blocks instead of file lengths, and each file
/// once, however many names it has.
public final class TreeUsage implements TreeWalk.Visitor {
  /// `st_blocks` counts in 512 bytes on every file system.
  private static final long BLOCK = 512;

  /// Bounds the memory for files with several names; beyond it each name counts.
  private static final int MOST_REMEMBERED = 200_000;

  private final Set<Long> seen = new HashSet<>();
  private long bytes;
  private long inodes;

  private TreeUsage() {}

  /// Measures the tree; concurrent changes may be missed.
  public static TreeUsage of(DirectoryHandle root) {
    TreeUsage usage = new TreeUsage();
    try {
      TreeWalk.walk(root, usage);
    } catch (IOException _) {
      // The next measurement is complete again.
    }
    return usage;
  }

  public long bytes() {
    return bytes;
  }

  /// The number of inodes without the root.
  public long inodes() {
    return inodes;
  }

  @Override
  public void file(LinuxCalls calls, int directory, byte[] name) throws IOException {
    add(calls, directory, name);
  }

  @Override
  public void left(LinuxCalls calls, int parent, byte[] name) throws IOException {
    add(calls, parent, name);
  }

  private void add(LinuxCalls calls, int directory, byte[] name) throws IOException {
    FileStatus status;
    try {
      status = calls.status(directory, name, "a measured directory");
    } catch (NoSuchFileException _) {
      return;
    }
    if (status.links() > 1 && !status.isDirectory() && isCounted(status.inode())) {
      return;
    }
    bytes += status.blocks() * BLOCK;
    inodes++;
  }

  private boolean isCounted(long inode) {
    return seen.size() < MOST_REMEMBERED ? !seen.add(inode) : seen.contains(inode);
  }

  /// Mounts do not belong to the tree.
  @Override
  public void mounted(byte[] name) {}

  @Override
  public boolean empties() {
    return false;
  }
}

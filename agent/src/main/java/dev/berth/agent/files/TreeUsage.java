package dev.berth.agent.files;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.HashSet;
import java.util.Set;

/// Adds up what is below a directory, as `du` does: what files occupy, not how long they say they
/// are, and each once however many names it has.
public final class TreeUsage implements TreeWalk.Visitor {
  private static final long BLOCK = 512;

  /// Of files with several names; from then on each name counts.
  private static final int MOST_REMEMBERED = 200_000;

  private final Set<Long> seen = new HashSet<>();
  private long bytes;
  private long inodes;

  private TreeUsage() {}

  /// What comes or goes meanwhile may be missing.
  public static TreeUsage of(DirectoryHandle root) {
    TreeUsage usage = new TreeUsage();
    try {
      TreeWalk.walk(root, usage);
    } catch (IOException _) {
      // The next look counts again.
    }
    return usage;
  }

  public long bytes() {
    return bytes;
  }

  /// Without the root itself.
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

  /// What is mounted is not of the tree.
  @Override
  public void mounted(byte[] name) {}

  @Override
  public boolean empties() {
    return false;
  }
}

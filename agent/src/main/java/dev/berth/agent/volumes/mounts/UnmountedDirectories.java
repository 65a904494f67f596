package dev.berth.agent.volumes.mounts;

import dev.berth.agent.files.FileHandle;
import java.io.IOException;
import java.nio.file.Path;

/// For an agent without the right to mount: volumes in memory are on the disk, and runtimes get
/// subPaths by path. A container that can write in the volume may replace such a path afterwards,
/// and reaches what the agent's user can reach, no more.
public final class UnmountedDirectories implements AgentMounts {
  @Override
  public boolean memory(Path directory, long bytes) {
    return false;
  }

  @Override
  public boolean hugePages(Path directory, long pageBytes) {
    return false;
  }

  @Override
  public Path bind(FileHandle source, Path target) throws IOException {
    return source.realPath();
  }

  @Override
  public void unmountBelow(Path directory) {}
}

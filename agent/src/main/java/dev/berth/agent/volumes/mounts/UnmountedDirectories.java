package dev.berth.agent.volumes.mounts;

import dev.berth.agent.files.FileHandle;
import java.io.IOException;
import java.nio.file.Path;

/// For an agent that may not mount: directories stay where they are, on the disk. A runtime gets
/// parts of volumes by their paths, so whoever changes the volume afterwards may lead it elsewhere,
/// with the rights that the agent's user has and no more.
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

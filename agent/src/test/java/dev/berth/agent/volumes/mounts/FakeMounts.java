package dev.berth.agent.volumes.mounts;

import dev.berth.agent.files.FileHandle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// Only remembers what would be in memory, and how large its pages would be.
public final class FakeMounts implements AgentMounts {
  public final Map<Path, Long> sizes = new HashMap<>();
  private final AgentMounts directories = new UnmountedDirectories();

  @Override
  public boolean memory(Path directory, long bytes) {
    return sizes.put(directory, bytes) == null;
  }

  @Override
  public boolean hugePages(Path directory, long pageBytes) {
    return sizes.put(directory, pageBytes) == null;
  }

  @Override
  public Path bind(FileHandle source, Path target) throws IOException {
    return directories.bind(source, target);
  }

  @Override
  public void unmountBelow(Path directory) {
    sizes.keySet().removeIf(one -> one.startsWith(directory));
  }
}

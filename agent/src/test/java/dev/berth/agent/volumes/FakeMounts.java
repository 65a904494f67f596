package dev.berth.agent.volumes;

import dev.berth.agent.files.FileHandle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// Only remembers what would be in memory, and how large its pages would be.
final class FakeMounts implements AgentMounts {
  final Map<Path, Long> sizes = new HashMap<>();
  private final AgentMounts folders = new UnmountedDirectories();

  @Override
  public boolean memory(Path folder, long bytes) {
    return sizes.put(folder, bytes) == null;
  }

  @Override
  public boolean hugePages(Path folder, long pageBytes) {
    return sizes.put(folder, pageBytes) == null;
  }

  @Override
  public Path bind(FileHandle source, Path target) throws IOException {
    return folders.bind(source, target);
  }

  @Override
  public void unmountBelow(Path folder) {
    sizes.keySet().removeIf(one -> one.startsWith(folder));
  }
}

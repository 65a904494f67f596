package dev.berth.agent.volumes;

import java.io.IOException;
import java.nio.file.Path;

/// For an agent that may not mount: folders stay where they are, on the disk.
public final class PlainFolders implements Mounts {
  @Override
  public boolean memory(Path folder, long bytes) {
    return false;
  }

  @Override
  public boolean hugePages(Path folder, long pageBytes) {
    return false;
  }

  @Override
  public Path bind(Path source, Path target, Path volume) throws IOException {
    Path real = source.toRealPath();
    if (!real.startsWith(volume)) {
      throw new OutsideException();
    }
    return real;
  }

  @Override
  public void unmountBelow(Path folder) {}
}

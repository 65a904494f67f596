package dev.berth.agent.volumes.mounts;

import dev.berth.agent.files.DirectoryHandle;
import dev.berth.agent.files.FileHandle;
import dev.berth.agent.files.FileStatus;
import dev.berth.agent.files.MountCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/// Mounts with system calls, for an agent that runs as root.
public final class LinuxMounts implements AgentMounts {
  @Override
  public boolean memory(Path directory, long bytes) throws IOException {
    return mount(directory, "tmpfs", "mode=0755" + (bytes > 0 ? ",size=" + bytes : ""));
  }

  @Override
  public boolean hugePages(Path directory, long pageBytes) throws IOException {
    return mount(directory, "hugetlbfs", "pagesize=" + pageBytes);
  }

  private static boolean mount(Path directory, String type, String options) throws IOException {
    Path real = directory.toRealPath();
    if (MountTable.read().has(real)) {
      return false;
    }
    MountCalls.fileSystem(type, real, options);
    return true;
  }

  /// The runtime gets a path that no container can change. A mount of an earlier container instance
  /// is kept if it still shows the same file.
  @Override
  public Path bind(FileHandle source, Path target) throws IOException {
    FileStatus wanted = source.status();
    Path directory = Objects.requireNonNull(target.getParent());
    Files.createDirectories(directory);
    Path place = directory.toRealPath().resolve(Objects.requireNonNull(target.getFileName()));
    while (MountTable.read().has(place)) {
      if (isShownAt(place, wanted)) {
        return place;
      }
      MountCalls.unmount(place);
    }
    makePlace(place, wanted.isDirectory());
    MountCalls.bind(source, place);
    return place;
  }

  private static boolean isShownAt(Path place, FileStatus wanted) throws IOException {
    try (DirectoryHandle parent = DirectoryHandle.openParent(place, 0)) {
      return parent
          .status(String.valueOf(place.getFileName()))
          .filter(wanted::isSameFile)
          .isPresent();
    }
  }

  private static void makePlace(Path place, boolean asDirectory) throws IOException {
    if (Files.isDirectory(place) != asDirectory) {
      Files.deleteIfExists(place);
    }
    if (asDirectory) {
      Files.createDirectories(place);
    } else if (!Files.exists(place)) {
      Files.createFile(place);
    }
  }

  @Override
  public void unmountBelow(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    Path real = directory.toRealPath();
    for (Path point : MountTable.read().below(real)) {
      MountCalls.unmount(point);
    }
    List<Path> left = MountTable.read().below(real);
    if (!left.isEmpty()) {
      throw new IOException("still mounted: " + left);
    }
  }
}

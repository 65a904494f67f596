package dev.berth.agent.volumes.mounts;

import dev.berth.agent.files.FileHandle;
import java.io.IOException;
import java.nio.file.Path;

/// What the agent mounts on this machine.
public interface AgentMounts {
  /// A file system in memory; done already is no mistake.
  ///
  /// @param bytes 0 for half of the memory
  /// @return whether it was not there before
  boolean memory(Path directory, long bytes) throws IOException;

  /// A file system whose files are in huge pages; done already is no mistake.
  ///
  /// @param pageBytes how large each is
  /// @return whether it was not there before
  boolean hugePages(Path directory, long pageBytes) throws IOException;

  /// Shows a file or directory at a second place, instead of what is shown there.
  ///
  /// @param target only the agent can change its path
  /// @return where the container is to find it
  Path bind(FileHandle source, Path target) throws IOException;

  /// Unmounts everything below a directory.
  ///
  /// @throws IOException when something is left: what is below must not be deleted then
  void unmountBelow(Path directory) throws IOException;
}

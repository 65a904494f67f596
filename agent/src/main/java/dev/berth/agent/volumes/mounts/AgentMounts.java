package dev.berth.agent.volumes.mounts;

import dev.berth.agent.files.FileHandle;
import java.io.IOException;
import java.nio.file.Path;

/// Mounts of the agent on this machine.
public interface AgentMounts {
  /// Mounts a file system in memory; idempotent.
  ///
  /// @param bytes 0 for half of the memory
  /// @return whether it was not mounted before
  boolean memory(Path directory, long bytes) throws IOException;

  /// Mounts a file system whose files use huge pages; idempotent.
  ///
  /// @param pageBytes the page size
  /// @return whether it was not mounted before
  boolean hugePages(Path directory, long pageBytes) throws IOException;

  /// Bind-mounts a file or directory over a second path.
  ///
  /// @param target a path that only the agent can change
  /// @return where the container finds it
  Path bind(FileHandle source, Path target) throws IOException;

  /// Unmounts everything below a directory.
  ///
  /// @throws IOException when something is left: what is below must not be deleted then
  void unmountBelow(Path directory) throws IOException;
}

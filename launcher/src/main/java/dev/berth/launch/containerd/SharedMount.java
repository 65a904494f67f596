package dev.berth.launch.containerd;

import dev.berth.launch.containerd.programs.ProgramRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Makes mounts below a directory visible in mount namespaces that already exist.
///
/// A containerd in a namespace of its own must see the volumes that the agent mounts for its pods,
/// and the next containerd must see what the last one mounted. The directory becomes a mount point
/// of itself for that: only a mount has a propagation, not a directory.
///
/// @param record keeps the id of the mount that was added, so that only that one is removed
record SharedMount(Path directory, Path record) {
  void share() throws IOException {
    if (KernelMounts.now().of(directory).filter(KernelMounts.Mount::shared).isPresent()) {
      return;
    }
    ProgramRunner.run(List.of("mount", "--bind", directory.toString(), directory.toString()));
    ProgramRunner.run(List.of("mount", "--make-shared", directory.toString()));
    KernelMounts.Mount added = KernelMounts.now().of(directory).orElseThrow();
    Files.writeString(record, added.id() + "\n");
  }

  /// Removes the added mount. Nothing may be mounted below the directory at that time.
  void unshare() throws IOException {
    if (!Files.exists(record)) {
      return;
    }
    String added = Files.readString(record).strip();
    Files.delete(record);
    // After a reboot the id may belong to another mount; place and id must both match.
    boolean present =
        KernelMounts.now()
            .of(directory)
            .filter(mount -> mount.place().equals(directory))
            .filter(mount -> Integer.toString(mount.id()).equals(added))
            .isPresent();
    if (present) {
      ProgramRunner.run(List.of("umount", "-l", directory.toString()));
    }
  }
}

package dev.berth.vm.pods.volumes;

import dev.berth.vm.guest.model.GuestMount.GuestOwner;
import java.nio.file.Path;

/// What the host has for a mount.
sealed interface HostSource {
  /// An emptyDir: the guest makes the directory, and the host's stays empty.
  ///
  /// @param subPath within it; empty is all of it
  /// @param memoryBytes its size in memory; negative for one on disk
  record EmptyDirectory(String volume, String subPath, long memoryBytes, GuestOwner owner)
      implements HostSource {}

  /// Files that Kubernetes makes: a configMap, secret, downwardAPI or projected volume, or a single
  /// file.
  ///
  /// @param file the name of the only file; empty for a directory
  /// @param followed whether the guest gets its changes, too
  record DeliveredFiles(Path path, String file, boolean followed) implements HostSource {}

  /// The file for the termination message: the container writes it and the node reads it.
  record MessageFile(Path path) implements HostSource {}
}

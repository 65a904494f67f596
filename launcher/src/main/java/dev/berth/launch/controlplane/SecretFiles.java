package dev.berth.launch.controlplane;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The files and directories of a control plane that hold keys, tokens or objects.
final class SecretFiles {
  private SecretFiles() {}

  /// The files that flags name, and the control plane's own directories.
  static List<Path> of(LaunchConfig config) {
    List<Path> files = new ArrayList<>();
    files.add(config.dataDir());
    files.add(config.server().pki().shared());
    files.add(config.server().pki().own());
    add(files, config.server().pki().signingKey());
    if (config.server().pki().serving() != null) {
      files.add(config.server().pki().serving().key());
    }
    add(files, config.server().http().tokenFile());
    config.server().encryption().source().ifPresent(files::add);
    if (config.store() instanceof StoreChoice.Etcd(_, _, _, _, Path key)) {
      add(files, key);
    }
    return files;
  }

  private static void add(List<Path> files, @Nullable Path file) {
    if (file != null) {
      files.add(file);
    }
  }
}

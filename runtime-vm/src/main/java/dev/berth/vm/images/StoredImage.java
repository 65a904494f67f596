package dev.berth.vm.images;

import java.util.List;

/// An image that is on this host.
///
/// @param id digest of the configuration, `sha256:...`
/// @param tags full references with a tag
/// @param digests full references with the digest of the index or manifest that was asked for
/// @param size of the compressed layers, the manifest and the configuration, as runtimes count
/// @param pinned whether garbage collection leaves it alone
public record StoredImage(
    String id,
    List<String> tags,
    List<String> digests,
    long size,
    boolean pinned,
    ImageDefaults defaults) {
  public StoredImage {
    tags = List.copyOf(tags);
    digests = List.copyOf(digests);
  }

  /// What containers of the image have if the pod does not say otherwise.
  ///
  /// @param user as the configuration has it; may be empty
  /// @param stopSignal such as `SIGQUIT` or `3`; may be empty
  public record ImageDefaults(
      List<String> entrypoint,
      List<String> command,
      List<String> environment,
      String workingDirectory,
      String user,
      String stopSignal,
      List<String> volumes) {
    public ImageDefaults {
      entrypoint = List.copyOf(entrypoint);
      command = List.copyOf(command);
      environment = List.copyOf(environment);
      volumes = List.copyOf(volumes);
    }
  }
}

package dev.berth.vm.images;

import dev.berth.registry.RegistryClient;
import dev.berth.registry.platforms.TargetPlatform;
import dev.berth.vm.images.layers.LayerLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Set;

/// Opens stores of images.
public final class VmImageStores {
  private VmImageStores() {}

  /// Opens the store of a directory, and creates it when missing. What an earlier process left
  /// half-done is removed; so only one process at a time may use a directory.
  ///
  /// @param registry stays open for as long as the store is used, and is closed by the caller
  /// @param guests which entries of images fit, such as `linux/amd64`
  /// @param pinned full references of images that garbage collection leaves alone
  /// @throws ImageException if the directory cannot be used
  public static VmImages open(
      Path directory,
      RegistryClient registry,
      TargetPlatform guests,
      Set<String> pinned,
      Clock clock) {
    return open(directory, registry, guests, pinned, clock, LayerLimits.USUAL);
  }

  static VmImages open(
      Path root,
      RegistryClient registry,
      TargetPlatform guests,
      Set<String> pinned,
      Clock clock,
      LayerLimits limits) {
    try {
      StoreDirectory directory = StoreDirectory.open(root);
      LayerStore layers = new LayerStore(directory, limits, clock);
      ImageAssembler assembler = new ImageAssembler(directory, limits);
      return new ImageStore(
          directory,
          pinned,
          layers,
          assembler,
          new ImagePuller(registry, guests, directory, layers, assembler),
          new ArchiveLoader(new ArchiveImages(guests), directory, layers, assembler));
    } catch (IOException e) {
      throw ImageFailures.ofHost("store " + root, e);
    }
  }
}

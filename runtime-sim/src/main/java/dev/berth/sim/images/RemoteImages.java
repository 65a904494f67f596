package dev.berth.sim.images;

import dev.berth.registry.ImageReference;
import dev.berth.registry.platforms.ImagePlatform;
import java.util.List;
import java.util.Optional;

/// Images that are not declared but looked up elsewhere. An interface, so that the images know no
/// registry client.
public interface RemoteImages {
  RemoteImages NONE = (_, _, _) -> Optional.empty();

  /// Looks an image up; empty when the reference names a registry that is not configured. Refuses
  /// when the registry has no such image.
  ///
  /// @param credentials `user:password`, or empty
  Optional<RemoteImage> find(ImageReference reference, String credentials, IndexChoice choice);

  /// The chosen entry of an image.
  ///
  /// @param digest the digest of the index, or of the manifest when there is none
  /// @param id the digest of the configuration
  /// @param size bytes of everything that a pull fetches
  /// @param layers fetches the layers and checks them; refuses when one is missing or wrong
  record RemoteImage(
      String digest,
      String id,
      ImagePlatform platform,
      long size,
      List<String> command,
      Optional<Long> user,
      Runnable layers) {
    public RemoteImage {
      command = List.copyOf(command);
    }
  }
}

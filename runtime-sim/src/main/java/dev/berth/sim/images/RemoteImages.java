package dev.berth.sim.images;

import dev.berth.registry.ImageReference;
import dev.berth.registry.platforms.ImagePlatform;
import java.util.List;
import java.util.Optional;

/// Images that are not declared but looked up elsewhere.
public interface RemoteImages {
  RemoteImages NONE = (_, _, _) -> Optional.empty();

  /// Empty when the reference's host is none that is known; refuses when there is no such image.
  ///
  /// @param credentials `user:password`, or empty
  Optional<RemoteImage> find(ImageReference reference, String credentials, IndexChoice choice);

  /// The entry of an image that was chosen.
  ///
  /// @param digest of the index, or of the manifest when there is none
  /// @param id digest of the configuration
  /// @param size of everything that a pull brings
  /// @param layers fetches and checks them; refuses when one is missing or wrong
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

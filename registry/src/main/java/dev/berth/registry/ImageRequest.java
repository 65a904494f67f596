package dev.berth.registry;

import dev.berth.registry.credentials.RegistryCredentials;
import java.time.Duration;
import java.util.List;

/// Which image a caller asks about, as whom, and how long it can wait.
///
/// @param credentials are tried one after the other; none means as nobody
/// @param limit for everything that the call needs
public record ImageRequest(
    ImageReference image, List<RegistryCredentials> credentials, Duration limit) {
  public ImageRequest {
    credentials = List.copyOf(credentials);
  }

  public static ImageRequest anonymous(ImageReference image, Duration limit) {
    return new ImageRequest(image, List.of(), limit);
  }
}

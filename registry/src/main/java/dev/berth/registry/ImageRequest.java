package dev.berth.registry;

import dev.berth.registry.credentials.RegistryCredentials;
import java.time.Duration;
import java.util.List;

/// Which image a caller asks about, as whom, and how long it can wait.
///
/// @param credentials are tried one after the other; none means as nobody
/// @param limit for everything that the call needs
/// @param isTagFresh whether the registry is asked what the tag means now, however recently it was
///   asked
public record ImageRequest(
    ImageReference image,
    List<RegistryCredentials> credentials,
    Duration limit,
    boolean isTagFresh) {
  public ImageRequest {
    credentials = List.copyOf(credentials);
  }

  public ImageRequest(ImageReference image, List<RegistryCredentials> credentials, Duration limit) {
    this(image, credentials, limit, false);
  }

  public static ImageRequest anonymous(ImageReference image, Duration limit) {
    return new ImageRequest(image, List.of(), limit);
  }

  public ImageRequest withFreshTag() {
    return new ImageRequest(image, credentials, limit, true);
  }
}

package dev.berth.agent.images;

import org.jspecify.annotations.Nullable;

/// What an image service reports about an image.
///
/// @param reference with which a container is made of it
/// @param uid of the user its containers run as; null when it has none or names one
/// @param username empty when the user is given by number
public record ImageDescription(String reference, @Nullable Long uid, String username) {
  public static ImageDescription of(String reference) {
    return new ImageDescription(reference, null, "");
  }
}

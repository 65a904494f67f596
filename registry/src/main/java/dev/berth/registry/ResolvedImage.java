package dev.berth.registry;

import dev.berth.registry.platforms.IndexEntry;

/// The entry of an image that fits a handler.
///
/// @param listing what there was to choose from
/// @param entry what is to be pulled; its platform is null when nobody looked into it
public record ResolvedImage(ImageReference image, PlatformListing listing, IndexEntry entry) {
  /// The name under which a runtime pulls exactly this entry.
  public ImageReference pinned() {
    return image.withDigest(entry.digest());
  }
}

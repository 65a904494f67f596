package dev.berth.registry;

import dev.berth.registry.platforms.ImageIndex;

/// What an image has: the entries of its index with all nested ones, or the only manifest with the
/// platform of its configuration.
///
/// @param digest of the index, or of the only manifest
/// @param isIndex false for an image without an index
public record PlatformListing(String digest, boolean isIndex, ImageIndex index) {}

package dev.berth.registry.placement;

import dev.berth.registry.platforms.ImageIndex;

/// What one image of a pod has.
///
/// @param image as its reader knows it
public record ImageEntries(String image, ImageIndex index) {}

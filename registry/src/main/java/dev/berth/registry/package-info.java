/// Access to image registries: references, indexes, manifests and blobs. Start at `ImageReference`;
/// `dev.berth.registry.platforms` decides which entry of an index a handler gets.
@NullMarked
package dev.berth.registry;

import org.jspecify.annotations.NullMarked;

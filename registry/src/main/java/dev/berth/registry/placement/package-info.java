/// Which nodes, handlers and RuntimeClasses run a pod's images: a pure decision from what images
/// have and what nodes report. Admission and the command line use it, start at `ImagePlacement`;
/// the scheduler uses `PodImagePlatforms`.
@NullMarked
package dev.berth.registry.placement;

import org.jspecify.annotations.NullMarked;

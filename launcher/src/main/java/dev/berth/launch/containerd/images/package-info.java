/// The first images of a private containerd, and how a containerd loads an archive of images.
///
/// Start reading at {@link dev.berth.launch.containerd.images.LocalImages}.
@NullMarked
package dev.berth.launch.containerd.images;

import org.jspecify.annotations.NullMarked;

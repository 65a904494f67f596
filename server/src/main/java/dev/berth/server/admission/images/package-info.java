/// Keeps pods off nodes that cannot run their images: what images have is looked up in registries,
/// and the pod's node selector or RuntimeClass follows (docs/images.md).
///
/// Start at {@link dev.berth.server.admission.images.ImageSteering}.
@NullMarked
package dev.berth.server.admission.images;

import org.jspecify.annotations.NullMarked;

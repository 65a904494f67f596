/// `berth images`: the images on this machine.
///
/// Start reading at {@link dev.berth.cli.images.ImagesCommand}.
@NullMarked
package dev.berth.cli.images;

import org.jspecify.annotations.NullMarked;

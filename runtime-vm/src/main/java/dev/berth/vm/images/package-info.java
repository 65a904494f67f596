/// Images for guests: layers are converted to EROFS once and shared by all machines.
///
/// Start with `VmImages`.
@NullMarked
package dev.berth.vm.images;

import org.jspecify.annotations.NullMarked;

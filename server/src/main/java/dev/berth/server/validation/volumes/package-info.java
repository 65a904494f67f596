/// Rules of a pod's volumes.
///
/// Start at {@link dev.berth.server.validation.volumes.VolumeRules}.
@NullMarked
package dev.berth.server.validation.volumes;

import org.jspecify.annotations.NullMarked;

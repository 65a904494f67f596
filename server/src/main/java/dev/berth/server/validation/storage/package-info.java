/// Rules of CSIDriver, CSINode and VolumeAttachment.
///
/// Start at {@link dev.berth.server.validation.storage.CsiDriverValidation}.
@NullMarked
package dev.berth.server.validation.storage;

import org.jspecify.annotations.NullMarked;

/// A control plane: its configuration record, the API server on its store, and controllers and
/// scheduler as clients of that server.
///
/// Start reading at {@link dev.berth.launch.controlplane.ControlPlane}.
@NullMarked
package dev.berth.launch.controlplane;

import org.jspecify.annotations.NullMarked;

/// `berth up`, `server`, `scheduler`, `down`, `demo`, and the flags of a control plane.
///
/// `up` also takes the flags of `cli.node`. Start reading at {@link
/// dev.berth.cli.controlplane.UpCommand}.
@NullMarked
package dev.berth.cli.controlplane;

import org.jspecify.annotations.NullMarked;

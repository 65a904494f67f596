/// The composition root: the only package that builds across modules, and the only one that reads
/// the machine's clock.
///
/// It may use every module. Start reading at {@link dev.berth.launch.ControlPlane}.
@NullMarked
package dev.berth.launch;

import org.jspecify.annotations.NullMarked;

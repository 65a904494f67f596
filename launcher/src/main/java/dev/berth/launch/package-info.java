/// The composition root: the only packages that build across modules, and the only ones that read
/// the machine's clock. It has no classes of its own; its rooms, from the bottom up:
///
/// - `process`: what every process needs; `connection`: ways to an API server
/// - `containerd`, `vm`, `simulation`, `runtimes`: the runtime services of a node
/// - `join`, `backup`, `reports`, `demo`: one command each, or few
/// - `agent`: a node's agent; `controlplane`: the control plane, with a node or without
/// - `training`: the run that fills the start-up cache
///
/// They may use every module. Start reading at {@link dev.berth.launch.controlplane.ControlPlane}.
@NullMarked
package dev.berth.launch;

import org.jspecify.annotations.NullMarked;

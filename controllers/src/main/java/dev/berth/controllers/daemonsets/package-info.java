/// DaemonSets: one pod on each node that fits.
///
/// Decisions are pure ([dev.berth.controllers.daemonsets.NodeFit],
/// [dev.berth.controllers.daemonsets.DaemonPlan]); start with
/// [dev.berth.controllers.daemonsets.DaemonSets].
@NullMarked
package dev.berth.controllers.daemonsets;

import org.jspecify.annotations.NullMarked;

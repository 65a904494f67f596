/// `berth rehearse`: changes of a cluster, played through on simulated nodes.
///
/// Start with [dev.berth.cli.rehearsal.RehearseCommand].
@NullMarked
package dev.berth.cli.rehearsal;

import org.jspecify.annotations.NullMarked;

/// Rehearsals: temporary clusters of simulated nodes on which a change of a cluster is played
/// through and checked.
///
/// Start with [dev.berth.launch.rehearsal.WindowsUpgrade].
@NullMarked
package dev.berth.launch.rehearsal;

import org.jspecify.annotations.NullMarked;

/// The admin endpoint of a simulated service: HTTP at a unix socket, where its knobs are turned
/// while it runs. Start at `AdminServer`.
@NullMarked
package dev.berth.sim.admin;

import org.jspecify.annotations.NullMarked;

/// The admin endpoint of a simulated service: HTTP on a unix socket that shows and changes the
/// service while it runs. Start at `AdminServer`.
@NullMarked
package dev.berth.sim.admin;

import org.jspecify.annotations.NullMarked;

/// What can happen to a call of a simulated service: it is refused with a code, or it waits until
/// its caller gives up.
@NullMarked
package dev.berth.sim.call;

import org.jspecify.annotations.NullMarked;

/// What a call to a simulated service may meet: a refusal with a code, or a wait that it may give
/// up.
@NullMarked
package dev.berth.sim.call;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.berth.sim.profile;

import org.jspecify.annotations.NullMarked;

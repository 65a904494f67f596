@NullMarked
package dev.berth.sim.registry;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.berth.sim.images;

import org.jspecify.annotations.NullMarked;

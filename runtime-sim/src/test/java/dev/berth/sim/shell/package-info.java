@NullMarked
package dev.berth.sim.shell;

import org.jspecify.annotations.NullMarked;

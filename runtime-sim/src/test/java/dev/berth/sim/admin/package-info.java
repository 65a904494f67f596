@NullMarked
package dev.berth.sim.admin;

import org.jspecify.annotations.NullMarked;

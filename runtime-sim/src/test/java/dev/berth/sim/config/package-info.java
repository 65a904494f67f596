@NullMarked
package dev.berth.sim.config;

import org.jspecify.annotations.NullMarked;

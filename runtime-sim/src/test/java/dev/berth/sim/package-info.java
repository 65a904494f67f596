@NullMarked
package dev.berth.sim;

import org.jspecify.annotations.NullMarked;

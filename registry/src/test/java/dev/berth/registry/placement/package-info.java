@NullMarked
package dev.berth.registry.placement;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.berth.registry.platforms;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.berth.registry;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.berth.registry.transport;

import org.jspecify.annotations.NullMarked;

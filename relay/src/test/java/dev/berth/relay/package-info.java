@NullMarked
package dev.berth.relay;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.berth.relay.ports;

import org.jspecify.annotations.NullMarked;

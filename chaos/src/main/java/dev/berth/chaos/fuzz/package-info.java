/// Clients and runtime services that violate the protocol.
@NullMarked
package dev.berth.chaos.fuzz;

import org.jspecify.annotations.NullMarked;

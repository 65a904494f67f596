/// Clients and runtime services that break the protocol.
@NullMarked
package dev.berth.chaos.fuzz;

import org.jspecify.annotations.NullMarked;

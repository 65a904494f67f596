/// What clients reach at the streaming URLs of simulated containers. Start at `ServiceStreams`.
@NullMarked
package dev.berth.sim.streams;

import org.jspecify.annotations.NullMarked;

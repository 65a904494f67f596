/// Tests of when a node is short of something, and of who has to go.
@NullMarked
package dev.berth.agent.pressure;

import org.jspecify.annotations.NullMarked;

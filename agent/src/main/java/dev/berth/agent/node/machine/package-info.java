/// What is known about the machine itself: its system, its size, how full it is.
@NullMarked
package dev.berth.agent.node.machine;

import org.jspecify.annotations.NullMarked;

/// What runtime services tell in numbers: images, and use of processors and memory.
@NullMarked
package dev.berth.agent.node.usage;

import org.jspecify.annotations.NullMarked;

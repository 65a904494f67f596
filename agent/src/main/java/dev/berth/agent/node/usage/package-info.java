/// What runtime services report in numbers: images, and use of processors and memory.
@NullMarked
package dev.berth.agent.node.usage;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.berth.agent.node.usage;

import org.jspecify.annotations.NullMarked;

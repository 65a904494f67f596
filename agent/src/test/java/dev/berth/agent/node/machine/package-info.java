@NullMarked
package dev.berth.agent.node.machine;

import org.jspecify.annotations.NullMarked;

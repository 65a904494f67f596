@NullMarked
package dev.berth.agent.node.overhead;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.berth.agent.node;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.berth.agent.usage;

import org.jspecify.annotations.NullMarked;

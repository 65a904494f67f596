@NullMarked
package dev.berth.agent.timing;

import org.jspecify.annotations.NullMarked;

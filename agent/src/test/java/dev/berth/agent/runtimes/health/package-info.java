@NullMarked
package dev.berth.agent.runtimes.health;

import org.jspecify.annotations.NullMarked;

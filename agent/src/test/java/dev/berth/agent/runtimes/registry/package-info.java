@NullMarked
package dev.berth.agent.runtimes.registry;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.berth.agent.runtimes.bindings;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.berth.agent.runtimes;

import org.jspecify.annotations.NullMarked;

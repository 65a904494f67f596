@NullMarked
package dev.berth.agent.streams;

import org.jspecify.annotations.NullMarked;

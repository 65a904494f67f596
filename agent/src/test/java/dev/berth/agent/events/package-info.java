@NullMarked
package dev.berth.agent.events;

import org.jspecify.annotations.NullMarked;

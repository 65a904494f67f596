@NullMarked
package dev.berth.agent.pods.eviction;

import org.jspecify.annotations.NullMarked;

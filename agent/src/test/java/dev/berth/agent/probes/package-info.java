@NullMarked
package dev.berth.agent.probes;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.berth.agent.pods.admission;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.berth.agent.pods.config.linux;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.berth.agent.pods.logs;

import org.jspecify.annotations.NullMarked;

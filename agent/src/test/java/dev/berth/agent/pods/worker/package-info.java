@NullMarked
package dev.berth.agent.pods.worker;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.berth.agent.volumes.host;

import org.jspecify.annotations.NullMarked;

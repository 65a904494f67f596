@NullMarked
package dev.berth.agent.volumes.mounts;

import org.jspecify.annotations.NullMarked;

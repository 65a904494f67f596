@NullMarked
package dev.berth.agent.volumes;

import org.jspecify.annotations.NullMarked;

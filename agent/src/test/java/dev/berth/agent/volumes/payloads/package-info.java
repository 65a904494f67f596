@NullMarked
package dev.berth.agent.volumes.payloads;

import org.jspecify.annotations.NullMarked;

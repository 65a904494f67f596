/// Publishes what happens to pods and to the node, as events of the API.
@NullMarked
package dev.berth.agent.events;

import org.jspecify.annotations.NullMarked;

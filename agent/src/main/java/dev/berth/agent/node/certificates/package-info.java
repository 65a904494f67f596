/// The node's own keys: certificates that the API server signs for them, and their renewal.
@NullMarked
package dev.berth.agent.node.certificates;

import org.jspecify.annotations.NullMarked;

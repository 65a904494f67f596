/// The user stories of the design documents, told by a whole cluster: our server, controllers,
/// scheduler and agents, on runtimes that are simulated.
@NullMarked
package dev.berth.checks.stories;

import org.jspecify.annotations.NullMarked;

/// Which pod belongs to which runtime service: in memory, on disk, and found again from the
/// runtimes themselves.
///
/// Start with [dev.berth.agent.runtimes.bindings.PodBindings]. A service that has not answered yet
/// is unknown, never empty.
@NullMarked
package dev.berth.agent.runtimes.bindings;

import org.jspecify.annotations.NullMarked;

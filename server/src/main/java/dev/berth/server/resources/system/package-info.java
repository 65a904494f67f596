/// Objects that the server itself writes: its namespaces, roles, endpoints and leases.
///
/// Start at {@link dev.berth.server.resources.system.SystemObjects}.
@NullMarked
package dev.berth.server.resources.system;

import org.jspecify.annotations.NullMarked;

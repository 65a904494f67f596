/// API servers under measurement, and clients of them.
///
/// Start with [dev.berth.bench.servers.ServerProcess].
@NullMarked
package dev.berth.bench.servers;

import org.jspecify.annotations.NullMarked;

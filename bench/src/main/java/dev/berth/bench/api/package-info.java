/// Throughput and latency of the API server, alone, beside another one, and with one setting
/// changed.
///
/// Start with [dev.berth.bench.api.ApiBench].
@NullMarked
package dev.berth.bench.api;

import org.jspecify.annotations.NullMarked;

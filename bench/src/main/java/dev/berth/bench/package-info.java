/// Benchmarks of whole systems: real processes and sockets, with tables and plots in
/// `bench/results`.
///
/// Start at {@link dev.berth.bench.BenchCommand}; `./dev bench` runs it. A room per subject, above
/// `servers`, `machine` and `reports`.
@NullMarked
package dev.berth.bench;

import org.jspecify.annotations.NullMarked;

/// Reads and writes what people say about simulated services, as YAML or JSON: every mistake is
/// named with its place, all at once. Start at `ConfigReader`; `RuleReader` reads single knobs.
@NullMarked
package dev.berth.sim.config;

import org.jspecify.annotations.NullMarked;

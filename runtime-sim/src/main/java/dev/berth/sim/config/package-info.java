/// Reads the configuration of simulated services from YAML or JSON. Every mistake is reported with
/// its place, all of them at once. Start at `ConfigReader`; `RuleReader` reads single settings.
@NullMarked
package dev.berth.sim.config;

import org.jspecify.annotations.NullMarked;

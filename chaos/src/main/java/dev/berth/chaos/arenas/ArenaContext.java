package dev.berth.chaos.arenas;

import dev.berth.chaos.faults.CalmPeriods;
import dev.berth.chaos.history.RunLog;
import dev.berth.chaos.machine.NetworkHub;
import java.nio.file.Path;

/// The parameters of an arena.
///
/// @param directory the arena's own directory
/// @param seed the seed of the arena's clients
public record ArenaContext(
    Path directory, NetworkHub hub, RunLog log, CalmPeriods calm, long seed) {}

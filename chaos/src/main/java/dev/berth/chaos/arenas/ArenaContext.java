package dev.berth.chaos.arenas;

import dev.berth.chaos.faults.CalmPeriods;
import dev.berth.chaos.history.RunLog;
import dev.berth.chaos.machine.NetworkHub;
import java.nio.file.Path;

/// What an arena needs from the run.
///
/// @param directory its own
/// @param seed for its clients
public record ArenaContext(
    Path directory, NetworkHub hub, RunLog log, CalmPeriods calm, long seed) {}

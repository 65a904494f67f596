package dev.berth.chaos;

import dev.berth.bench.machine.TemporaryDirectory;
import dev.berth.chaos.arenas.ArenaContext;
import dev.berth.chaos.arenas.AttackArena;
import dev.berth.chaos.faults.CalmPeriods;
import dev.berth.chaos.faults.FaultOption;
import dev.berth.chaos.faults.FaultSchedule;
import dev.berth.chaos.history.RunLog;
import dev.berth.chaos.machine.NetworkHub;
import dev.berth.chaos.report.ChaosReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A run: builds, attacks and checks each arena in turn, and writes the report.
///
/// An arena that fails to start or to recover is a violation and ends its attack only; the next
/// arena follows, so that one fault of the test does not hide the rest.
final class ChaosRun {
  private final ChaosOptions options;
  private final RunLog log = new RunLog(System.out::println);

  ChaosRun(ChaosOptions options) {
    this.options = options;
  }

  /// Runs all arenas; returns whether no violation was found.
  boolean run() throws IOException {
    Path directory = Files.createTempDirectory("chaos");
    log.step("seed %d".formatted(options.seed()));
    System.out.println("           data in " + directory);
    NetworkHub hub = NetworkHub.create();
    List<String> names = new ArrayList<>();
    for (ArenaName name : options.arenas()) {
      names.add(ChaosOptions.name(name));
      attack(name, hub, Files.createDirectory(directory.resolve(ChaosOptions.name(name))));
    }
    boolean clean = log.violations().isEmpty();
    new ChaosReport(log, options.seed(), names).write(options.report());
    System.out.println("           report in " + options.report());
    if (clean && !options.keep()) {
      TemporaryDirectory.delete(directory);
    }
    System.out.printf(
        "%s: %d violations, seed %d%n",
        clean ? "PASSED" : "FAILED", log.violations().size(), options.seed());
    return clean;
  }

  private void attack(ArenaName name, NetworkHub hub, Path directory) throws IOException {
    // Each arena has a seed of its own, so that its steps do not depend on which other arenas run.
    long seed = options.seed() * 31 + ChaosOptions.name(name).hashCode();
    CalmPeriods calm = new CalmPeriods();
    log.arena(ChaosOptions.name(name));
    try (AttackArena arena = name.open(new ArenaContext(directory, hub, log, calm, seed))) {
      arena.start();
      List<FaultOption> faults =
          arena.faults().stream().filter(fault -> options.faults().contains(fault.kind())).toList();
      new AttackRunner(arena, calm, log).run(new FaultSchedule(faults, seed), limit());
      arena.check();
      log.step("checked");
    } catch (IOException | RuntimeException e) {
      log.violation("run", "arena %s was aborted: %s".formatted(ChaosOptions.name(name), e));
      e.printStackTrace(System.out);
    }
  }

  private AttackLimit limit() {
    Duration share = options.time().dividedBy(options.arenas().size());
    return new AttackLimit(options.steps(), share);
  }
}

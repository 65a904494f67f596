package dev.berth.chaos;

import dev.berth.chaos.arenas.AttackArena;
import dev.berth.chaos.faults.CalmPeriods;
import dev.berth.chaos.faults.FaultOption;
import dev.berth.chaos.faults.FaultSchedule;
import dev.berth.chaos.faults.FaultStep;
import dev.berth.chaos.history.RunLog;
import dev.berth.chaos.machine.ManagedProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/// Runs the steps of one arena: faults begin, last and end; then the system recovers and rests.
///
/// The state changes in one order: disturbed before a fault begins, calm after recovery and after
/// the checks. Clients judge answers by that state, so that no error of a fault counts as a
/// violation.
final class AttackRunner {
  /// Time in which the whole system must be ready again. It is generous, because a slow recovery on
  /// a busy machine is no violation.
  private static final Duration RECOVERY_LIMIT = Duration.ofMinutes(3);

  private final AttackArena arena;
  private final CalmPeriods calm;
  private final RunLog log;

  AttackRunner(AttackArena arena, CalmPeriods calm, RunLog log) {
    this.arena = arena;
    this.calm = calm;
    this.log = log;
  }

  /// @throws IOException when the system does not recover, or a fault cannot be injected
  void run(FaultSchedule schedule, AttackLimit limit) throws IOException {
    awaitRecovery();
    calm.calm();
    long start = System.nanoTime();
    int done = 0;
    while (!limit.isReached(done, Duration.ofNanos(System.nanoTime() - start))) {
      FaultStep step = schedule.next();
      log.step(step.toString());
      calm.disturbed();
      inject(step);
      awaitRecovery();
      arena.inspect();
      calm.calm();
      LockSupport.parkNanos(step.rest().toNanos());
      done++;
    }
    calm.disturbed();
  }

  /// Begins all faults of a step, holds them, and ends them.
  private void inject(FaultStep step) throws IOException {
    Random random = new Random(step.seed());
    Duration from = log.now();
    int begun = 0;
    try {
      for (FaultOption fault : step.faults()) {
        begun++;
        fault.actor().begin(random);
      }
      LockSupport.parkNanos(step.hold().toNanos());
      // A fault is ended even if it could not begin: a stopped process must not stay stopped.
    } finally {
      for (FaultOption fault : step.faults().subList(0, begun)) {
        fault.actor().end();
        log.fault(fault.kind().toString(), from);
      }
    }
  }

  /// Waits until no obstacle is left. A system that never recovers ends the attack: nothing after
  /// it could be judged.
  private void awaitRecovery() throws IOException {
    long start = System.nanoTime();
    String obstacle = obstacle();
    while (!obstacle.isEmpty()) {
      if (System.nanoTime() - start > RECOVERY_LIMIT.toNanos()) {
        log.violation("convergence", "not recovered within " + RECOVERY_LIMIT + ": " + obstacle);
        throw new IOException("the system did not recover: " + obstacle);
      }
      LockSupport.parkNanos(200_000_000);
      obstacle = obstacle();
    }
    log.step("recovered after %d ms".formatted((System.nanoTime() - start) / 1_000_000));
  }

  /// Why the system is not ready. A process that ended by itself is a violation, because every end
  /// that a fault caused has been undone by then.
  private String obstacle() throws IOException {
    List<ManagedProcess> dead =
        arena.processes().stream().filter(process -> !process.isAlive()).toList();
    for (ManagedProcess process : dead) {
      log.violation(
          "processes", "%s ended by itself:\n%s".formatted(process.name(), process.lastWords()));
      // The attack goes on with a new process: the violation is recorded already.
      process.start();
    }
    return arena.obstacle();
  }
}

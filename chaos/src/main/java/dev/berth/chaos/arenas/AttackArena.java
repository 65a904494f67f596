package dev.berth.chaos.arenas;

import dev.berth.chaos.faults.FaultOption;
import dev.berth.chaos.machine.ManagedProcess;
import java.io.IOException;
import java.util.List;

/// A system under attack. The thread that injects faults calls all methods; the arena's clients run
/// on threads of their own.
public interface AttackArena extends AutoCloseable {
  /// Starts every process and the clients.
  void start() throws IOException;

  List<FaultOption> faults();

  /// The processes that must run while no fault is active.
  List<ManagedProcess> processes();

  /// Why the system is not ready; empty when it is.
  String obstacle();

  /// Checks invariants that hold at any time. Called after each step, when the system has
  /// recovered.
  default void inspect() throws IOException {}

  /// Stops the clients and checks the invariants of the whole run. No fault is active.
  void check() throws IOException;

  @Override
  void close() throws IOException;
}

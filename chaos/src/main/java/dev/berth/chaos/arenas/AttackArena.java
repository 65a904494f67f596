package dev.berth.chaos.arenas;

import dev.berth.chaos.faults.FaultOption;
import dev.berth.chaos.machine.ManagedProcess;
import java.io.IOException;
import java.util.List;

/// A system under attack.
public interface AttackArena extends AutoCloseable {
  /// Starts every process and the clients.
  void start() throws IOException;

  List<FaultOption> faults();

  /// What must run while no fault is active.
  List<ManagedProcess> processes();

  /// Why the system does not serve yet; empty when it does.
  String obstacle();

  /// Checks what must hold at any time; called after each step, when the system has recovered.
  default void inspect() throws IOException {}

  /// Ends the clients and checks what must hold. No fault is active.
  void check() throws IOException;

  @Override
  void close() throws IOException;
}

package dev.berth.sim.model;

import dev.berth.cri.v1.Signal;
import dev.berth.sim.shell.ProcessInbox;

/// Linux's numbers of CRI's stop signals.
final class StopSignals {
  private StopSignals() {}

  static int number(Signal signal) {
    return switch (signal.name()) {
      case "SIGHUP" -> 1;
      case "SIGINT" -> ProcessInbox.INTERRUPT;
      case "SIGQUIT" -> 3;
      case "SIGABRT" -> 6;
      case "SIGKILL" -> ProcessInbox.KILL;
      case "SIGUSR1" -> 10;
      case "SIGUSR2" -> 12;
      // SIGTERM is also the signal of a container that names none.
      default -> ProcessInbox.TERMINATE;
    };
  }
}

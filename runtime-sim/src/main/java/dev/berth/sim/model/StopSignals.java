package dev.berth.sim.model;

import dev.berth.cri.v1.Signal;
import dev.berth.sim.shell.Inbox;

/// Linux's numbers of the signals that stop containers.
final class StopSignals {
  private StopSignals() {}

  static int number(Signal signal) {
    return switch (signal.name()) {
      case "SIGHUP" -> 1;
      case "SIGINT" -> Inbox.INTERRUPT;
      case "SIGQUIT" -> 3;
      case "SIGABRT" -> 6;
      case "SIGKILL" -> Inbox.KILL;
      case "SIGUSR1" -> 10;
      case "SIGUSR2" -> 12;
      default -> Inbox.TERMINATE;
    };
  }
}

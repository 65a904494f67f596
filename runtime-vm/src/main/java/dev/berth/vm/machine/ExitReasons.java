package dev.berth.vm.machine;

import dev.berth.vm.machine.MachineExit.ExitReason;

/// Decides why a machine is gone.
final class ExitReasons {
  private static final int LINES = 5;

  private ExitReasons() {}

  /// @param killed whether this service killed it
  /// @param shutdown the reason of QEMU's last `SHUTDOWN` event; empty if none was seen, such as
  ///   when the machine ended while no service ran. The console decides then.
  static MachineExit of(boolean killed, String shutdown, String console, String log) {
    String last = ConsoleRing.lastLines(console, LINES);
    if (killed) {
      return new MachineExit(ExitReason.KILLED, "killed by the VM runtime");
    }
    if (console.contains("Kernel panic - not syncing")) {
      return new MachineExit(ExitReason.PANICKED, panic(console));
    }
    if (shutdown.equals("guest-reset") || shutdown.equals("guest-panic")) {
      return new MachineExit(ExitReason.PANICKED, "the guest reset its machine; console: " + last);
    }
    if (shutdown.equals("guest-shutdown") || console.contains("reboot: Power down")) {
      return new MachineExit(ExitReason.POWERED_OFF, "the guest powered off");
    }
    String qemu = ConsoleRing.lastLines(log, LINES);
    return new MachineExit(
        ExitReason.VANISHED,
        "QEMU ended%s; QEMU: %s; console: %s"
            .formatted(shutdown.isEmpty() ? "" : " by " + shutdown, quoted(qemu), quoted(last)));
  }

  private static String panic(String console) {
    int start = console.lastIndexOf("Kernel panic - not syncing");
    int end = console.indexOf('\n', start);
    return "the guest's kernel stopped: "
        + console.substring(start, end < 0 ? console.length() : end).strip();
  }

  private static String quoted(String text) {
    return text.isEmpty() ? "nothing" : text;
  }
}

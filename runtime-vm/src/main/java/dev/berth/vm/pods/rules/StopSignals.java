package dev.berth.vm.pods.rules;

import dev.berth.cri.v1.Signal;
import java.util.List;
import java.util.Locale;

/// Linux's numbers of the signals that end containers.
public final class StopSignals {
  public static final int KILL = 9;
  private static final int TERMINATE = 15;
  private static final int FIRST_REAL_TIME = 34;
  private static final int LAST = 64;

  /// By number, from 1 on.
  private static final List<String> NAMES =
      List.of(
          "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
          "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
          "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS");

  private StopSignals() {}

  /// The signal of a container: its own, else that of its image, else SIGTERM.
  ///
  /// @param ofImage such as `SIGQUIT`, `QUIT` or `3`; a text that is no signal counts as none
  public static int of(Signal own, String ofImage) {
    if (own != Signal.RUNTIME_DEFAULT && own != Signal.UNRECOGNIZED) {
      return number(own.name());
    }
    return ofImage.isEmpty() ? TERMINATE : number(ofImage);
  }

  private static int number(String text) {
    if (text.matches("\\d{1,2}")) {
      int number = Integer.parseInt(text);
      return number >= 1 && number <= LAST ? number : TERMINATE;
    }
    String name = text.toUpperCase(Locale.ROOT).replaceFirst("^SIG", "");
    return switch (name) {
      case "IOT" -> number("ABRT");
      case "CLD" -> number("CHLD");
      case "POLL" -> number("IO");
      default -> name.startsWith("RT") ? realTime(name) : known(name);
    };
  }

  private static int known(String name) {
    int index = NAMES.indexOf(name);
    return index < 0 ? TERMINATE : index + 1;
  }

  /// `RTMIN`, `RTMIN+3` or CRI's `RTMINPLUS3`, and the same from the end.
  private static int realTime(String name) {
    String digits = name.replaceAll("\\D", "");
    int distance = digits.isEmpty() || digits.length() > 2 ? 0 : Integer.parseInt(digits);
    int number = name.startsWith("RTMAX") ? LAST - distance : FIRST_REAL_TIME + distance;
    return number >= FIRST_REAL_TIME && number <= LAST ? number : TERMINATE;
  }
}

package dev.berth.sim.shell;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Splits the standard input into lines. On a terminal it also echoes them, because there is no
/// kernel that does. Used by the thread of the shell.
final class LineReader {
  /// Ctrl-D, which ends the input of a terminal.
  private static final char END_OF_TRANSMISSION = 4;

  private final SimShell shell;
  private final StringBuilder pending = new StringBuilder();
  private boolean ended;

  LineReader(SimShell shell) {
    this.shell = shell;
  }

  /// The next line; null at the end of the input.
  @Nullable String next() {
    while (true) {
      int end = lineEnd();
      if (end >= 0) {
        String line = pending.substring(0, end);
        pending.delete(0, end + 1);
        return line;
      }
      // A last line without a line end counts as a line.
      if (ended) {
        String line = pending.toString();
        pending.setLength(0);
        return line.isEmpty() ? null : line;
      }
      take(new String(shell.read(), StandardCharsets.UTF_8));
    }
  }

  private void take(String text) {
    boolean terminal = shell.processContext().terminal();
    int stop = terminal ? text.indexOf(END_OF_TRANSMISSION) : -1;
    ended = text.isEmpty() || stop >= 0;
    String typed = stop >= 0 ? text.substring(0, stop) : text;
    pending.append(typed);
    if (terminal) {
      shell.output().print(typed.replace("\r\n", "\n").replace('\r', '\n').replace("\n", "\r\n"));
    }
  }

  private int lineEnd() {
    for (int i = 0; i < pending.length(); i++) {
      // The Enter key of a terminal in raw mode sends a carriage return.
      if (pending.charAt(i) == '\n' || pending.charAt(i) == '\r') {
        return i;
      }
    }
    return -1;
  }
}

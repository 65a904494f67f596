package dev.berth.sim.shell;

import dev.berth.sim.time.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// What a command line comes down to, decided before it runs: the kind of program decides whether
/// its process needs a thread.
public sealed interface ShellProgram {
  /// Ends well after a time. Needs no thread until then, which is what lets a process hold a
  /// hundred thousand containers.
  record Sleep(Duration time) implements ShellProgram {}

  /// A command that is not simulated: as the process of a container it runs until it is stopped.
  record Unknown(String name) implements ShellProgram {}

  /// One simulated command with its arguments.
  record Command(List<String> line) implements ShellProgram {}

  record Script(ScriptNode node) implements ShellProgram {}

  /// A shell that reads its commands from the standard input.
  record Interactive() implements ShellProgram {}

  /// A script that is not understood; as the process of a container it says so and runs until it is
  /// stopped, so that the pod keeps running and the log names the reason.
  record Broken(String message) implements ShellProgram {}

  Set<String> SHELLS = Set.of("sh", "ash", "bash", "dash");

  /// Reads a command line as the container's runtime gets it.
  static ShellProgram of(List<String> command) {
    if (command.isEmpty()) {
      return new Unknown("");
    }
    String name = name(command.getFirst());
    List<String> arguments = command.subList(1, command.size());
    if (SHELLS.contains(name)) {
      return shell(arguments);
    }
    return switch (name) {
      // `busybox sh -c ...` is the same program as `sh -c ...`.
      case "busybox" -> arguments.isEmpty() ? new Unknown(name) : of(arguments);
      case "cmd" -> windows(arguments, "/c");
      case "powershell", "pwsh" -> windows(arguments, "-command");
      default -> ShellCommands.ALL.containsKey(name) ? known(command) : new Unknown(name);
    };
  }

  /// The name of a command without directory, extension and, on Windows, case.
  static String name(String word) {
    String last = word.substring(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);
    String lower = last.toLowerCase(Locale.ROOT);
    return lower.endsWith(".exe") ? lower.substring(0, lower.length() - 4) : last;
  }

  private static ShellProgram known(List<String> command) {
    // The usual command of test pods; as a timer it costs no thread.
    if (command.size() == 2 && name(command.getFirst()).equals("sleep")) {
      var time = DurationText.parse(command.getLast());
      if (time.isPresent()) {
        return new Sleep(time.get());
      }
    }
    return new Command(List.copyOf(command));
  }

  private static ShellProgram shell(List<String> arguments) {
    if (arguments.isEmpty()) {
      return new Interactive();
    }
    // Flags before the script, such as -e in `sh -ec`, change nothing here.
    return arguments.getFirst().matches("-[a-z]*c") && arguments.size() > 1
        ? script(arguments.get(1))
        : broken(new ScriptException(String.join(" ", arguments)));
  }

  /// `cmd /c a & b` and `powershell -Command a; b`, in which an ampersand separates.
  private static ShellProgram windows(List<String> arguments, String flag) {
    if (arguments.isEmpty()) {
      return new Interactive();
    }
    boolean flagged = arguments.getFirst().equalsIgnoreCase(flag);
    List<String> words = flagged ? arguments.subList(1, arguments.size()) : arguments;
    return script(String.join(" ", words).replaceAll("(?<![&>])&(?!&)", ";"));
  }

  private static ShellProgram script(String text) {
    try {
      return new Script(ScriptParser.parse(text));
    } catch (ScriptException e) {
      return broken(e);
    }
  }

  private static ShellProgram broken(ScriptException e) {
    return new Broken(String.valueOf(e.getMessage()));
  }
}

package dev.berth.sim.shell;

import dev.berth.sim.shell.ScriptNode.Part;
import dev.berth.sim.shell.ScriptNode.Word;
import dev.berth.sim.time.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// What a command line comes down to.
public sealed interface ShellProgram {
  /// Ends well after a time, and needs no thread until then.
  record Sleep(Duration time) implements ShellProgram {}

  /// A command that is not known here: as the process of a container it runs until it is stopped.
  record Unknown(String name) implements ShellProgram {}

  /// A script, or one known command.
  record Script(ScriptNode node) implements ShellProgram {}

  /// A shell that reads its commands from the standard input.
  record Interactive() implements ShellProgram {}

  /// A script with a mistake, or with something that this shell does not have.
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
      case "busybox" -> arguments.isEmpty() ? new Unknown(name) : of(arguments);
      case "cmd" -> windows(arguments, "/c");
      case "powershell", "pwsh" -> windows(arguments, "-command");
      case "sleep" -> sleep(command, arguments);
      default ->
          ShellCommands.ALL.containsKey(name) ? new Script(simple(command)) : new Unknown(name);
    };
  }

  /// The name of a command without directory, extension and, on Windows, case.
  static String name(String word) {
    String last = word.substring(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);
    String lower = last.toLowerCase(Locale.ROOT);
    return lower.endsWith(".exe") ? lower.substring(0, lower.length() - 4) : last;
  }

  private static ShellProgram shell(List<String> arguments) {
    int flags = 0;
    while (flags < arguments.size() && arguments.get(flags).startsWith("-")) {
      flags++;
      if (arguments.get(flags - 1).endsWith("c")) {
        return flags < arguments.size()
            ? script(arguments.get(flags))
            : new Broken("sh: option requires an argument -- 'c'");
      }
    }
    return flags == arguments.size() ? new Interactive() : new Unknown("sh");
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
      return new Broken("sh: " + e.getMessage());
    }
  }

  private static ShellProgram sleep(List<String> command, List<String> arguments) {
    if (arguments.size() == 1) {
      if (arguments.getFirst().equals("infinity")) {
        return new Unknown("sleep");
      }
      var time = DurationText.parse(arguments.getFirst());
      if (time.isPresent()) {
        return new Sleep(time.get());
      }
    }
    return new Script(simple(command));
  }

  private static ScriptNode simple(List<String> command) {
    List<Word> words =
        command.stream().map(word -> new Word(List.of(new Part.Text(word, true)))).toList();
    return new ScriptNode.Simple(List.of(), words, List.of());
  }
}

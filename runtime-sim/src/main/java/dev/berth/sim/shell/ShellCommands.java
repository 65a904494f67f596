package dev.berth.sim.shell;

import dev.berth.sim.time.DurationText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The commands that simulated containers have. Their error texts are busybox's, which tests of
/// clients look for.
final class ShellCommands {
  /// Returns its exit status.
  interface Command {
    int run(SimShell shell, List<String> arguments);
  }

  static final Map<String, Command> ALL =
      Map.ofEntries(
          Map.entry("true", (_, _) -> 0),
          Map.entry(":", (_, _) -> 0),
          Map.entry("false", (_, _) -> 1),
          Map.entry("mkdir", (_, _) -> 0), // Directories are there when a file in them is.
          Map.entry("echo", ShellCommands::echo),
          Map.entry("printf", ShellCommands::printf),
          Map.entry("sleep", ShellCommands::sleep),
          Map.entry("exit", ShellCommands::exit),
          Map.entry("trap", ShellCommands::trap),
          Map.entry("cat", ShellCommands::cat),
          Map.entry("touch", ShellCommands::touch),
          Map.entry("rm", ShellCommands::rm),
          Map.entry("test", ShellCommands::test),
          Map.entry("[", ShellCommands::test),
          Map.entry("tar", TarCommand::run),
          Map.entry("env", ShellCommands::env),
          Map.entry("hostname", ShellCommands::hostname),
          // Windows
          Map.entry("timeout", ShellCommands::sleep),
          Map.entry("Start-Sleep", ShellCommands::sleep),
          Map.entry("Write-Output", ShellCommands::echo),
          Map.entry("Write-Host", ShellCommands::echo),
          Map.entry("type", ShellCommands::cat));

  private ShellCommands() {}

  /// Prints its words; with -n, which stands first or not at all, without a line end.
  private static int echo(SimShell shell, List<String> arguments) {
    boolean bare = !arguments.isEmpty() && arguments.getFirst().equals("-n");
    List<String> words = bare ? arguments.subList(1, arguments.size()) : arguments;
    shell.output().print(String.join(" ", words) + (bare ? "" : "\n"));
    return 0;
  }

  /// Prints a text with line ends and tabs; a format with a directive is refused.
  private static int printf(SimShell shell, List<String> arguments) {
    if (arguments.size() != 1 || arguments.getFirst().contains("%")) {
      return fail(shell, "printf: only one text without % is simulated");
    }
    shell.output().print(arguments.getFirst().replace("\\n", "\n").replace("\\t", "\t"));
    return 0;
  }

  /// Skips flags, which PowerShell's and Windows' commands have before the time.
  private static int sleep(SimShell shell, List<String> arguments) {
    Duration sum = Duration.ZERO;
    for (String argument : arguments) {
      if (argument.equals("infinity")) {
        shell.sleep(null);
      } else if (!argument.startsWith("-") && !argument.startsWith("/")) {
        var time = DurationText.parse(argument);
        if (time.isEmpty()) {
          return fail(shell, "sleep: invalid number '" + argument + "'");
        }
        sum = sum.plus(time.get());
      }
    }
    shell.sleep(sum);
    return 0;
  }

  /// Ends the program with a status of one byte; a text that is no number gives 2, as in a real
  /// shell.
  private static int exit(SimShell shell, List<String> arguments) {
    throw SimShell.end(
        arguments.isEmpty() ? shell.status() : number(arguments.getLast(), 2) & 0xff);
  }

  /// Sets the script of signals. An unknown name becomes signal 0, which never arrives.
  private static int trap(SimShell shell, List<String> arguments) {
    for (String name : arguments.isEmpty() ? arguments : arguments.subList(1, arguments.size())) {
      int signal =
          switch (name.toUpperCase(Locale.ROOT).replaceFirst("^SIG", "")) {
            case "TERM" -> ProcessInbox.TERMINATE;
            case "INT" -> ProcessInbox.INTERRUPT;
            default -> number(name, 0);
          };
      try {
        shell.trap(signal, arguments.getFirst());
      } catch (ScriptException e) {
        return fail(shell, e.getMessage());
      }
    }
    return 0;
  }

  private static int cat(SimShell shell, List<String> arguments) {
    if (arguments.isEmpty()) {
      for (byte[] bytes = shell.read(); bytes.length > 0; bytes = shell.read()) {
        shell.output().write(ProcessOutput.STDOUT, bytes);
      }
    }
    int status = 0;
    for (String name : arguments) {
      Optional<String> text = shell.processContext().files().read(name);
      if (text.isPresent()) {
        shell.output().write(ProcessOutput.STDOUT, text.get().getBytes(StandardCharsets.UTF_8));
      } else {
        status = fail(shell, "cat: can't open '" + name + "': No such file or directory");
      }
    }
    return status;
  }

  private static int touch(SimShell shell, List<String> arguments) {
    int status = 0;
    for (String name : arguments) {
      if (!shell.processContext().files().write(name, "", true)) {
        status = fail(shell, "touch: " + name + ": Read-only file system");
      }
    }
    return status;
  }

  private static int rm(SimShell shell, List<String> arguments) {
    boolean force = arguments.stream().anyMatch(word -> word.matches("-[rR]*f[rR]*"));
    int status = 0;
    for (String name : arguments) {
      if (!name.startsWith("-") && !shell.processContext().files().remove(name) && !force) {
        status = fail(shell, "rm: can't remove '" + name + "': No such file or directory");
      }
    }
    return status;
  }

  /// Tests one condition; a result of 2 means that the test itself was wrong.
  private static int test(SimShell shell, List<String> arguments) {
    boolean bracket = !arguments.isEmpty() && arguments.getLast().equals("]");
    List<String> words = bracket ? arguments.subList(0, arguments.size() - 1) : arguments;
    String text = words.isEmpty() ? "" : words.getLast();
    FileTree files = shell.processContext().files();
    boolean holds;
    switch (words.size() == 2 ? words.getFirst() : words.size() == 3 ? words.get(1) : "") {
      case "-e" -> holds = files.exists(text) || files.isDirectory(text);
      case "-f" -> holds = files.exists(text) && !files.isDirectory(text);
      case "-d" -> holds = files.isDirectory(text);
      case "-z" -> holds = text.isEmpty();
      case "-n" -> holds = !text.isEmpty();
      case "=" -> holds = words.getFirst().equals(text);
      case "!=" -> holds = !words.getFirst().equals(text);
      default -> {
        fail(shell, "test: only -d, -e, -f, -z, -n, = and != are simulated");
        return 2;
      }
    }
    return holds ? 0 : 1;
  }

  private static int env(SimShell shell, List<String> arguments) {
    new TreeMap<>(shell.processContext().variables())
        .forEach((name, value) -> shell.output().print(name + "=" + value + "\n"));
    return 0;
  }

  private static int hostname(SimShell shell, List<String> arguments) {
    shell.output().print(shell.processContext().hostname() + "\n");
    return 0;
  }

  static int fail(SimShell shell, @Nullable String message) {
    shell.output().complain(message + "\n");
    return 1;
  }

  private static int number(String text, int instead) {
    try {
      return Integer.parseInt(text.strip());
    } catch (NumberFormatException _) {
      return instead;
    }
  }
}

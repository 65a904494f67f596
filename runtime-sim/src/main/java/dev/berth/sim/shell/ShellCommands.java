package dev.berth.sim.shell;

import dev.berth.sim.time.DurationText;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// The commands that simulated containers have.
final class ShellCommands {
  /// A command that ran answers its exit status.
  interface Command {
    int run(SimShell shell, List<String> arguments);
  }

  static final Map<String, Command> ALL = all();

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss 'UTC' yyyy", Locale.ROOT);

  private ShellCommands() {}

  private static Map<String, Command> all() {
    Map<String, Command> commands = new TreeMap<>();
    commands.put("true", (_, _) -> 0);
    commands.put(":", (_, _) -> 0);
    commands.put("false", (_, _) -> 1);
    commands.put("echo", ShellCommands::echo);
    commands.put("printf", ShellCommands::printf);
    commands.put("sleep", ShellCommands::sleep);
    commands.put("exit", ShellCommands::exit);
    commands.put("trap", ShellCommands::trap);
    commands.put("wait", ShellCommands::await);
    commands.put("exec", FileCommands::exec);
    commands.put("cat", FileCommands::cat);
    commands.put("touch", FileCommands::touch);
    commands.put("rm", FileCommands::rm);
    commands.put("ls", FileCommands::ls);
    commands.put("test", FileCommands::test);
    commands.put("[", FileCommands::test);
    commands.put("tar", TarCommand::run);
    commands.put("mkdir", (_, _) -> 0);
    commands.put("set", (_, _) -> 0);
    commands.put("export", ShellCommands::export);
    commands.put("env", ShellCommands::env);
    commands.put("hostname", ShellCommands::hostname);
    commands.put("date", ShellCommands::date);
    commands.put("id", (shell, _) -> print(shell, "uid=0(root) gid=0(root)"));
    commands.put("whoami", (shell, _) -> print(shell, "root"));
    commands.put("pwd", (shell, _) -> print(shell, "/"));
    // Windows
    commands.put("timeout", ShellCommands::timeout);
    commands.put("Start-Sleep", ShellCommands::sleep);
    commands.put("Write-Output", ShellCommands::echo);
    commands.put("Write-Host", ShellCommands::echo);
    commands.put("type", FileCommands::cat);
    commands.put("dir", FileCommands::ls);
    return Map.copyOf(commands);
  }

  private static int print(SimShell shell, String line) {
    shell.output().print(line + "\n");
    return 0;
  }

  private static int echo(SimShell shell, List<String> arguments) {
    boolean bare = !arguments.isEmpty() && arguments.getFirst().equals("-n");
    boolean escapes = !arguments.isEmpty() && arguments.getFirst().equals("-e");
    List<String> words = bare || escapes ? arguments.subList(1, arguments.size()) : arguments;
    String text = String.join(" ", words);
    shell.output().print((escapes ? unescaped(text) : text) + (bare ? "" : "\n"));
    return 0;
  }

  private static int printf(SimShell shell, List<String> arguments) {
    if (arguments.isEmpty()) {
      return 1;
    }
    StringBuilder text = new StringBuilder();
    String format = unescaped(arguments.getFirst());
    int next = 1;
    for (int i = 0; i < format.length(); i++) {
      char c = format.charAt(i);
      if (c != '%' || i + 1 == format.length()) {
        text.append(c);
      } else if (format.charAt(++i) == '%') {
        text.append('%');
      } else {
        text.append(next < arguments.size() ? arguments.get(next++) : "");
      }
    }
    shell.output().print(text.toString());
    return 0;
  }

  private static String unescaped(String text) {
    return text.replace("\\n", "\n").replace("\\t", "\t");
  }

  private static int sleep(SimShell shell, List<String> arguments) {
    Duration sum = Duration.ZERO;
    for (String argument : arguments) {
      if (argument.equals("infinity")) {
        shell.sleep(null);
      }
      if (!argument.startsWith("-")) {
        var time = DurationText.parse(argument);
        if (time.isEmpty()) {
          shell.output().complain("sleep: invalid number '" + argument + "'\n");
          return 1;
        }
        sum = sum.plus(time.get());
      }
    }
    shell.sleep(sum);
    return 0;
  }

  private static int timeout(SimShell shell, List<String> arguments) {
    return sleep(shell, arguments.stream().filter(word -> !word.startsWith("/")).toList());
  }

  private static int exit(SimShell shell, List<String> arguments) {
    throw SimShell.end(
        arguments.isEmpty() ? shell.status() : number(arguments.getLast(), 2) & 0xff);
  }

  private static int await(SimShell shell, List<String> arguments) {
    shell.waitForBackground();
    return 0;
  }

  private static int trap(SimShell shell, List<String> arguments) {
    for (String name : arguments.isEmpty() ? arguments : arguments.subList(1, arguments.size())) {
      int signal =
          switch (name.toUpperCase(Locale.ROOT).replaceFirst("^SIG", "")) {
            case "TERM" -> ProcessInbox.TERMINATE;
            case "INT" -> ProcessInbox.INTERRUPT;
            default -> number(name, 0);
          };
      if (signal > 0) {
        shell.trap(signal, arguments.getFirst());
      }
    }
    return 0;
  }

  private static int export(SimShell shell, List<String> arguments) {
    for (String argument : arguments) {
      String[] parts = argument.split("=", 2);
      if (parts.length == 2) {
        shell.processContext().variables().put(parts[0], parts[1]);
      }
    }
    return 0;
  }

  private static int env(SimShell shell, List<String> arguments) {
    new TreeMap<>(shell.processContext().variables())
        .forEach((name, value) -> print(shell, name + "=" + value));
    return 0;
  }

  private static int hostname(SimShell shell, List<String> arguments) {
    return print(shell, shell.processContext().hostname());
  }

  private static int date(SimShell shell, List<String> arguments) {
    ZonedDateTime now = shell.processContext().timeline().now().atZone(ZoneOffset.UTC);
    return print(
        shell, arguments.contains("+%s") ? Long.toString(now.toEpochSecond()) : DATE.format(now));
  }

  static int number(String text, int instead) {
    try {
      return Integer.parseInt(text.strip());
    } catch (NumberFormatException _) {
      return instead;
    }
  }
}

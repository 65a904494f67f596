package dev.berth.sim.shell;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// The commands that look at files.
final class FileCommands {
  private FileCommands() {}

  /// `exec command` is the command, and then the end.
  static int exec(SimShell shell, List<String> arguments) {
    if (arguments.isEmpty()) {
      return 0;
    }
    throw SimShell.end(shell.runInstead(arguments));
  }

  static int cat(SimShell shell, List<String> arguments) {
    if (arguments.isEmpty()) {
      copyInput(shell);
      return 0;
    }
    int status = 0;
    for (String name : arguments) {
      Optional<String> text = shell.processContext().files().read(name);
      if (text.isPresent()) {
        shell.output().write(ProcessOutput.STDOUT, text.get().getBytes(StandardCharsets.UTF_8));
      } else {
        shell.output().complain("cat: can't open '" + name + "': No such file or directory\n");
        status = 1;
      }
    }
    return status;
  }

  private static void copyInput(SimShell shell) {
    byte[] bytes = shell.read();
    while (bytes.length > 0) {
      shell.output().write(ProcessOutput.STDOUT, bytes);
      bytes = shell.read();
    }
  }

  static int touch(SimShell shell, List<String> arguments) {
    int status = 0;
    for (String name : arguments) {
      if (!shell.processContext().files().write(name, "", true)) {
        shell.output().complain("touch: " + name + ": Read-only file system\n");
        status = 1;
      }
    }
    return status;
  }

  static int rm(SimShell shell, List<String> arguments) {
    boolean force = arguments.stream().anyMatch(word -> word.matches("-[rR]*f[rR]*"));
    int status = 0;
    for (String name : arguments) {
      if (!name.startsWith("-") && !shell.processContext().files().remove(name) && !force) {
        shell.output().complain("rm: can't remove '" + name + "': No such file or directory\n");
        status = 1;
      }
    }
    return status;
  }

  static int ls(SimShell shell, List<String> arguments) {
    FileTree files = shell.processContext().files();
    List<String> names = arguments.stream().filter(word -> !word.startsWith("-")).toList();
    for (String name : names.isEmpty() ? List.of("/") : names) {
      if (!files.isDirectory(name) && !files.exists(name)) {
        shell.output().complain("ls: " + name + ": No such file or directory\n");
        return 1;
      }
      List<String> entries = files.isDirectory(name) ? files.list(name) : List.of(name);
      entries.forEach(entry -> shell.output().print(entry + "\n"));
    }
    return 0;
  }

  static int test(SimShell shell, List<String> arguments) {
    List<String> words =
        !arguments.isEmpty() && arguments.getLast().equals("]")
            ? arguments.subList(0, arguments.size() - 1)
            : arguments;
    if (!words.isEmpty() && words.getFirst().equals("!")) {
      return holds(shell, words.subList(1, words.size())) ? 1 : 0;
    }
    return holds(shell, words) ? 0 : 1;
  }

  private static boolean holds(SimShell shell, List<String> words) {
    FileTree files = shell.processContext().files();
    return switch (words.size()) {
      case 1 -> !words.getFirst().isEmpty();
      case 2 ->
          switch (words.getFirst()) {
            case "-f" -> files.exists(words.get(1)) && !files.isDirectory(words.get(1));
            case "-d" -> files.isDirectory(words.get(1));
            case "-e" -> files.exists(words.get(1)) || files.isDirectory(words.get(1));
            case "-s" -> files.read(words.get(1)).filter(text -> !text.isEmpty()).isPresent();
            case "-z" -> words.get(1).isEmpty();
            case "-n" -> !words.get(1).isEmpty();
            default -> false;
          };
      case 3 -> compares(words.get(0), words.get(1), words.get(2));
      default -> false;
    };
  }

  private static boolean compares(String left, String operator, String right) {
    int order = Integer.compare(ShellCommands.number(left, 0), ShellCommands.number(right, 0));
    return switch (operator) {
      case "=", "==" -> left.equals(right);
      case "!=" -> !left.equals(right);
      case "-eq" -> order == 0;
      case "-ne" -> order != 0;
      case "-lt" -> order < 0;
      case "-le" -> order <= 0;
      case "-gt" -> order > 0;
      case "-ge" -> order >= 0;
      default -> false;
    };
  }
}

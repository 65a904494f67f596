package dev.berth.vm.machine;

import dev.berth.api.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Says why a machine failed, from what QEMU and its launcher wrote.
final class MachineFailures {
  /// What the launcher wrote before its output was kept.
  static final String LAUNCH_LOG = "launch.log";

  private static final Pattern ERROR_NUMBER = Pattern.compile("error (\\d+)");
  private static final Map<Integer, String> ERRORS =
      Map.of(
          1, "operation not permitted",
          2, "no such file",
          12, "no memory left",
          13, "permission denied",
          16, "in use",
          19, "no such device",
          22, "invalid argument",
          28, "no disk space left");
  private static final Map<Pattern, String> REMEDIES =
      Map.of(
          Pattern.compile("(?i)cannot (set up guest memory|allocate memory)|no memory left"),
          "Free memory on this node, or give the pod's limit room for the guest's memory",
          Pattern.compile("(?i)no space left|no disk space left"),
          "Free disk space below the data directory of the VM runtime",
          Pattern.compile("operation not permitted|permission denied"),
          "The VM runtime needs to run as root with all capabilities",
          Pattern.compile("tun"),
          "Load the kernel module tun, and give the VM runtime /dev/net/tun",
          Pattern.compile("execute .*error 2"),
          "Install QEMU (Debian: qemu-system-x86), or correct its path");

  private MachineFailures() {}

  static MachineException start(String subject, Path directory, Throwable cause) {
    String why = cause.getMessage() + output(directory);
    return new MachineException(
        new Problem("virtual machine of %s did not start".formatted(subject), why, remedy(why)),
        cause);
  }

  static MachineException files(String subject, IOException cause) {
    String why = String.valueOf(cause);
    return new MachineException(
        new Problem("files of virtual machine %s".formatted(subject), why, remedy(why)), cause);
  }

  static MachineException request(String what, Throwable cause) {
    return new MachineException(new Problem(what, String.valueOf(cause.getMessage()), ""), cause);
  }

  static MachineException refused(String what, String why, String remedy) {
    return new MachineException(new Problem(what, why, remedy), null);
  }

  /// The last lines that launcher, QEMU and guest wrote.
  static String output(Path directory) {
    StringBuilder output = new StringBuilder();
    add(output, "launcher", named(text(directory.resolve(LAUNCH_LOG))));
    add(output, "QEMU", named(ConsoleRing.text(directory.resolve(QemuCommand.LOG))));
    add(output, "console", ConsoleRing.text(directory.resolve(QemuCommand.CONSOLE)));
    return output.toString();
  }

  private static void add(StringBuilder why, String source, String text) {
    if (!text.isBlank()) {
      why.append("; ").append(source).append(": ").append(ConsoleRing.lastLines(text, 3));
    }
  }

  /// The launcher writes numbers of errors.
  private static String named(String text) {
    Matcher number = ERROR_NUMBER.matcher(text);
    return number.replaceAll(
        found ->
            "$0 (%s)"
                .formatted(ERRORS.getOrDefault(Integer.parseInt(found.group(1)), "see errno")));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException nothing) {
      return "";
    }
  }

  private static String remedy(String why) {
    return REMEDIES.entrySet().stream()
        .filter(remedy -> remedy.getKey().matcher(why).find())
        .map(Map.Entry::getValue)
        .sorted()
        .findFirst()
        .orElse("");
  }

  static MachineException missing(Path program, @Nullable Throwable cause) {
    return new MachineException(
        new Problem(
            "virtual machines cannot run",
            "%s is not an executable file".formatted(program),
            "Install QEMU (Debian: qemu-system-x86), or correct its path"),
        cause);
  }
}

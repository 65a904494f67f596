package dev.berth.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Runs the attack in namespaces of its own for mounts, network and processes: whatever the attack
/// leaves behind there, and however it ends, the kernel takes all of it away.
final class RunIsolation {
  /// Marks the arguments of the run inside.
  static final String MARK = "--isolated";

  /// The shell stays as the first process and takes up orphans. `/run` is private because named
  /// network namespaces and the sockets of container shims are below it. Nobody answers names in
  /// these networks, and to be refused is faster than to wait.
  private static final String INSIDE =
      """
      mount -t tmpfs tmpfs /run && mkdir -p /run/netns &&
      echo 'nameserver 127.0.0.1' > /run/resolv.conf &&
      mount --bind /run/resolv.conf "$(readlink -f /etc/resolv.conf)" &&
      "$@"
      exit $?
      """;

  private RunIsolation() {}

  static int run(List<String> arguments) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command(arguments)).inheritIO().start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return process.waitFor();
  }

  static List<String> command(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("unshare", "--mount", "--net", "--pid", "--fork", "--mount-proc"));
    command.addAll(List.of("--kill-child", "sh", "-c", INSIDE, "sh"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xmx700m"));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), ChaosCommand.class.getName()));
    command.add(MARK);
    command.addAll(arguments);
    return command;
  }
}

package dev.berth.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Runs the attack in mount, network and process namespaces of its own. The kernel removes whatever
/// is left in them, however the attack ends.
final class RunIsolation {
  /// Marks the command line of the run inside of the namespaces.
  static final String MARK = "--isolated";

  /// The shell stays as process 1 and adopts orphans. `/run` is private because named network
  /// namespaces and the sockets of container shims are in it. No name server is reachable in these
  /// networks, and a refused query is faster than one that times out.
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
    // With `--kill-child` and a PID namespace, the end of `unshare` ends every process of the run.
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

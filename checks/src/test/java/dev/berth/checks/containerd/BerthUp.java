package dev.berth.checks.containerd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// `berth up` in a process that a test may kill.
final class BerthUp implements AutoCloseable {
  private static final Duration END_LIMIT = Duration.ofMinutes(3);
  private static final Duration EXEC_LIMIT = Duration.ofMinutes(3);

  private final Path dataDir;
  private final Process process;
  private final BufferedReader out;
  private String greeting = "";

  private BerthUp(Path dataDir, Process process) {
    this.dataDir = dataDir;
    this.process = process;
    this.out = process.inputReader(StandardCharsets.UTF_8);
  }

  /// With a containerd of its own.
  static BerthUp start(Path dataDir, String... flags) throws IOException {
    List<String> command =
        berth("up", "--private-containerd", "--secure-port=0", "--data-dir=" + dataDir);
    command.addAll(Arrays.asList(flags));
    BerthUp up = start(dataDir, command);
    assertThat(up.greeting).contains("private containerd", "runc, crun");
    return up;
  }

  /// With what it finds, beside the pods of a kubelet.
  ///
  /// @param system where it runs
  static BerthUp start(Path dataDir, SystemContainerd system) throws IOException {
    return start(
        dataDir,
        system.inside(berth("up", "--ignore-kubelet", "--secure-port=0", "--data-dir=" + dataDir)));
  }

  private static BerthUp start(Path dataDir, List<String> command) throws IOException {
    BerthUp up =
        new BerthUp(dataDir, new ProcessBuilder(command).redirectErrorStream(true).start());
    up.greeting = up.awaitLine("Stop ");
    return up;
  }

  String greeting() {
    return greeting;
  }

  /// Runs another command of `berth` to its end.
  static String run(String... words) throws IOException {
    return Commands.run(berth(words));
  }

  static List<String> berth(String... words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(Arrays.asList(words));
    return command;
  }

  /// Everything up to the line that starts so.
  private String awaitLine(String start) throws IOException {
    StringBuilder text = new StringBuilder();
    while (true) {
      String line = out.readLine();
      if (line == null) {
        throw new AssertionError("ended: " + text);
      }
      text.append(line).append('\n');
      if (line.startsWith(start)) {
        return text.toString();
      }
    }
  }

  String kubectl(String... words) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of("kubectl", "--kubeconfig", dataDir.resolve("admin.kubeconfig").toString()));
    command.addAll(Arrays.asList(words));
    return Commands.run(command);
  }

  /// Waits until a pod answers commands: then the agent has found it.
  void awaitExec(String pod) {
    long end = System.nanoTime() + EXEC_LIMIT.toNanos();
    while (true) {
      try {
        kubectl("exec", pod, "--", "true");
        return;
      } catch (IOException e) {
        if (System.nanoTime() > end) {
          throw new AssertionError(e);
        }
        LockSupport.parkNanos(50_000_000);
      }
    }
  }

  void kill() throws InterruptedException {
    process.destroyForcibly();
    assertThat(process.waitFor(END_LIMIT)).isTrue();
  }

  /// Stops it as Ctrl-C does; answers what it said about that.
  String stop() throws IOException, InterruptedException {
    process.toHandle().destroy(); // Process.destroy() would close the streams as well
    String words = awaitLine("Stopping.");
    assertThat(process.waitFor(END_LIMIT)).isTrue();
    return words;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}

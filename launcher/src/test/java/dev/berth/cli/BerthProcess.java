package dev.berth.cli;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The command line in a JVM of its own; killed when the test is done with it.
final class BerthProcess implements AutoCloseable {
  private static final Pattern PORT = Pattern.compile("https://127\\.0\\.0\\.1:(\\d+)");
  private static final long LIMIT_SECONDS = 180;

  private final Process process;
  private final BufferedReader out;

  private BerthProcess(Process process) {
    this.process = process;
    this.out = process.inputReader(StandardCharsets.UTF_8);
  }

  /// `berth up` with a simulated runtime on any free port, unless the extra flags say otherwise.
  static BerthProcess up(Path dataDir, String... extra) throws IOException {
    List<String> words = new ArrayList<>(List.of("up", "--simulate", "--data-dir=" + dataDir));
    words.addAll(extra.length == 0 ? List.of("--secure-port=0") : List.of(extra));
    return start(words);
  }

  /// Any command.
  static BerthProcess start(List<String> words) throws IOException {
    return startOn(System.getProperty("java.class.path"), words);
  }

  /// Any command, with one more directory on its class path.
  static BerthProcess startWith(Path classes, List<String> words) throws IOException {
    return startOn(classes + File.pathSeparator + System.getProperty("java.class.path"), words);
  }

  private static BerthProcess startOn(String classPath, List<String> words) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(List.of("-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", classPath, Main.class.getName()));
    command.addAll(words);
    return new BerthProcess(new ProcessBuilder(command).start());
  }

  long pid() {
    return process.pid();
  }

  /// All lines up to the one that tells how to stop it.
  String awaitGreeting() throws IOException {
    return awaitLine("Stop ");
  }

  /// All lines up to the one that begins so.
  String awaitLine(String start) throws IOException {
    StringBuilder greeting = new StringBuilder();
    while (true) {
      String line = out.readLine();
      if (line == null) {
        throw new AssertionError("ended before it was ready: " + greeting + errors());
      }
      greeting.append(line).append('\n');
      if (line.startsWith(start)) {
        return greeting.toString();
      }
    }
  }

  int awaitPort() throws IOException {
    String greeting = awaitGreeting();
    Matcher port = PORT.matcher(greeting);
    if (!port.find()) {
      throw new AssertionError("no address in: " + greeting);
    }
    return Integer.parseInt(port.group(1));
  }

  /// Sends SIGTERM and waits for the end.
  int terminate() throws InterruptedException {
    process.toHandle().destroy(); // Process.destroy() would close the streams as well
    return exitCode();
  }

  /// As `kill -9` does; waits for the end.
  void kill() throws InterruptedException {
    process.toHandle().destroyForcibly();
    exitCode();
  }

  int exitCode() throws InterruptedException {
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("still running after " + LIMIT_SECONDS + " s");
    }
    return process.exitValue();
  }

  /// What it wrote to stderr until its end.
  String errors() throws IOException {
    return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}

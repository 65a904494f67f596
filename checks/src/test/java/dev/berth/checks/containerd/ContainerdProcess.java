package dev.berth.checks.containerd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Debian's containerd as a runtime service of a test; it shares nothing with another one and
/// leaves nothing behind.
///
/// Needs root and Debian's containerd, runc or crun, containernetworking-plugins and
/// busybox-static.
public final class ContainerdProcess implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final Path BUSYBOX = Path.of("/usr/bin/busybox");
  private static final Path PLUGINS = Path.of("/usr/lib/cni");

  /// What runs the containers; its name is that of the handler, too.
  public enum LowLevelRuntime {
    RUNC("runc"),
    CRUN("crun");

    private final String handler;

    LowLevelRuntime(String handler) {
      this.handler = handler;
    }

    public String handler() {
      return handler;
    }
  }

  private final ContainerdDirectory directory;
  private final LowLevelRuntime runtime;

  /// Holds a mount namespace open in which crun sees cgroups of version 1 only; it gives up when it
  /// finds version 2 mounted beside them.
  private final @Nullable Process namespace;

  private Process process;

  private ContainerdProcess(
      ContainerdDirectory directory, LowLevelRuntime runtime, @Nullable Process namespace)
      throws IOException {
    this.directory = directory;
    this.runtime = runtime;
    this.namespace = namespace;
    this.process = launch();
  }

  /// Whether this machine can run it; a test assumes so or is skipped.
  public static boolean isUsable(LowLevelRuntime runtime) {
    return "root".equals(System.getProperty("user.name"))
        && Files.isExecutable(PLUGINS.resolve("ptp"))
        && Files.isExecutable(BUSYBOX)
        && Commands.succeeds("containerd", "--version")
        && Commands.succeeds(runtime.handler(), "--version");
  }

  /// Serves when it returns, with the images of `TestImages` in place.
  ///
  /// @param directory must not exist; its path should be short, because it holds unix sockets
  public static ContainerdProcess start(Path directory, LowLevelRuntime runtime)
      throws IOException {
    return start(directory, runtime, List.of());
  }

  /// One with more handlers than one, which all use the same low-level runtime.
  public static ContainerdProcess start(
      Path directory, LowLevelRuntime runtime, List<String> moreHandlers) throws IOException {
    ContainerdDirectory layout =
        ContainerdDirectory.create(directory, runtime.handler(), moreHandlers, PLUGINS);
    Process namespace = runtime == LowLevelRuntime.CRUN ? withoutUnifiedCgroups() : null;
    ContainerdProcess containerd = new ContainerdProcess(layout, runtime, namespace);
    containerd.awaitServing();
    TestImages.write(layout.images());
    containerd.ctr("images", "import", layout.images().toString());
    return containerd;
  }

  public Path socket() {
    return directory.socket();
  }

  public LowLevelRuntime runtime() {
    return runtime;
  }

  /// As a crash would: containers run on, nobody answers.
  public void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  /// It keeps its connections and answers nothing, until `thaw`.
  public void freeze() throws IOException {
    Commands.run(List.of("kill", "-STOP", "" + process.pid()));
  }

  public void thaw() throws IOException {
    Commands.run(List.of("kill", "-CONT", "" + process.pid()));
  }

  /// Starts it again after `kill` or `stop`.
  public void restart() throws IOException {
    process = launch();
    awaitServing();
  }

  /// Stops it in order; containers run on.
  public void stop() {
    process.destroy();
    awaitEnd();
  }

  /// Ends containers and shims, too, and takes every mount away.
  @Override
  public void close() {
    process.destroyForcibly();
    awaitEnd();
    new ContainerdRemains(directory, runtime.handler(), this::inside).clear();
    if (namespace != null) {
      namespace.destroyForcibly();
    }
  }

  /// Runs containerd's own client; answers what it printed.
  public String ctr(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("ctr", "-a", socket().toString(), "-n", "k8s.io"));
    command.addAll(Arrays.asList(arguments));
    return Commands.run(inside(command));
  }

  private Process launch() throws IOException {
    return new ProcessBuilder(inside(List.of("containerd", "-c", directory.config().toString())))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.log().toFile()))
        .start();
  }

  /// A command where it runs.
  List<String> inside(List<String> command) {
    if (namespace == null) {
      return command;
    }
    List<String> entering = new ArrayList<>(List.of("nsenter", "-m", "-t", "" + namespace.pid()));
    entering.addAll(command);
    return entering;
  }

  private void awaitServing() throws IOException {
    long end = System.nanoTime() + START_LIMIT.toNanos();
    while (System.nanoTime() < end && process.isAlive()) {
      if (Files.exists(socket())
          && Commands.succeeds("ctr", "-a", socket().toString(), "plugins", "ls")) {
        return;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
    String log = Files.readString(directory.log());
    close();
    throw new AssertionError("containerd did not start: " + log);
  }

  private void awaitEnd() {
    try {
      if (!process.waitFor(Duration.ofMinutes(2))) {
        throw new AssertionError("containerd did not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Process withoutUnifiedCgroups() throws IOException {
    Process holder =
        new ProcessBuilder(
                "unshare",
                "-m",
                "sh",
                "-c",
                "umount /sys/fs/cgroup/unified 2>/dev/null; echo ready; exec sleep 2147483647")
            .start();
    int first = holder.getInputStream().read();
    if (first < 0) {
      throw new IOException("no mount namespace could be made");
    }
    return holder;
  }
}

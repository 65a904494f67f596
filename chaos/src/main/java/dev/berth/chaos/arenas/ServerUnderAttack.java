package dev.berth.chaos.arenas;

import dev.berth.bench.servers.BenchCredentials;
import dev.berth.chaos.load.ApiAnswer;
import dev.berth.chaos.load.ApiCaller;
import dev.berth.chaos.machine.ManagedProcess;
import dev.berth.chaos.machine.NetworkPort;
import dev.berth.chaos.machine.ProcessClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// `berth server` in a network namespace, with a clock of its own. The address and the port stay
/// the same over all starts, so that clients find it again.
final class ServerUnderAttack implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final int HEAP_MEBIBYTES = 384;

  private final ArenaContext context;
  private final NetworkPort port;
  private final Path dataDir;
  private final ProcessClock clock;
  private final ManagedProcess process;
  private final ProcessBounds bounds;
  private @Nullable BenchCredentials credentials;

  ServerUnderAttack(ArenaContext context, String name, Path dataDir, List<String> flags)
      throws IOException {
    this.context = context;
    this.port = context.hub().add(name);
    this.dataDir = dataDir;
    this.clock = new ProcessClock(context.directory().resolve(name + ".clock"));
    List<String> words = new ArrayList<>(List.of("server", "--data-dir", dataDir.toString()));
    words.addAll(List.of("--bind-address", port.address(), "--secure-port", "6443"));
    words.addAll(flags);
    this.process =
        new ManagedProcess(
            name,
            port.inside(BerthProgram.command(HEAP_MEBIBYTES + "m", words)),
            clock.environment(),
            context.directory().resolve(name + ".log"));
    this.bounds = new ProcessBounds(process, HEAP_MEBIBYTES, context.log());
  }

  /// Starts the server for the first time and waits until it is ready.
  void start() throws IOException {
    process.start();
    Path kubeconfig = dataDir.resolve("admin.kubeconfig");
    long end = System.nanoTime() + START_LIMIT.toNanos();
    String obstacle = "no " + kubeconfig;
    while (System.nanoTime() < end && process.isAlive()) {
      if (credentials == null && Files.exists(kubeconfig)) {
        credentials = readWhenComplete(kubeconfig);
      }
      obstacle = credentials == null ? obstacle : obstacle();
      if (obstacle.isEmpty()) {
        bounds.begin();
        return;
      }
      LockSupport.parkNanos(100_000_000);
    }
    throw new IOException(
        process.name() + " did not get ready: " + obstacle + "\n" + process.lastWords());
  }

  /// Reads the kubeconfig; null while the server has not written all of it.
  private static @Nullable BenchCredentials readWhenComplete(Path kubeconfig) {
    try {
      return BenchCredentials.read(kubeconfig);
    } catch (IOException | IllegalArgumentException _) {
      return null;
    }
  }

  BenchCredentials credentials() {
    if (credentials == null) {
      throw new IllegalStateException(process.name() + " has not been started");
    }
    return credentials;
  }

  Path kubeconfig() {
    return dataDir.resolve("admin.kubeconfig");
  }

  ManagedProcess process() {
    return process;
  }

  NetworkPort port() {
    return port;
  }

  ProcessClock clock() {
    return clock;
  }

  /// Why the server accepts no writes; empty when it does. A write is the only proof: reads are
  /// answered from memory even if the store fails.
  String obstacle() {
    try (ApiCaller api = new ApiCaller(credentials(), context.calm(), context.log())) {
      String name = "probe-of-" + process.name();
      ApiAnswer answer =
          api.apply(
              "/api/v1/namespaces/kube-system/configmaps/" + name,
              "{apiVersion: v1, kind: ConfigMap, metadata: {name: %s}, data: {pid: '%d'}}"
                  .formatted(name, process.pid()));
      return answer.isSuccess() ? "" : process.name() + ": " + answer;
    }
  }

  /// Checks that memory and open files return to their bounds.
  void checkBounds() {
    bounds.check();
  }

  @Override
  public void close() throws IOException {
    process.close();
    port.remove();
  }
}

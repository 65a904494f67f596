package dev.berth.bench.node;

import dev.berth.bench.machine.ProcessUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// `./berth up` with a containerd of its own, as users start it. Closing it removes everything.
///
/// The launcher is the product's own script, with its start-up cache and its flags of the JVM:
/// figures are those of a user.
final class NodeProcess implements AutoCloseable {
  private final Path launcher;
  private final Path dataDir;
  private final Process process;

  private NodeProcess(Path launcher, Path dataDir, Process process) {
    this.launcher = launcher;
    this.dataDir = dataDir;
    this.process = process;
  }

  static NodeProcess start(Path launcher, Path dataDir) throws IOException {
    Process process =
        new ProcessBuilder(
                launcher.toAbsolutePath().toString(),
                "up",
                "--data-dir",
                dataDir.toString(),
                "--secure-port",
                "0")
            .redirectErrorStream(true)
            .redirectOutput(dataDir.resolve("up.log").toFile())
            .start();
    return new NodeProcess(launcher, dataDir, process);
  }

  /// The administrator's kubeconfig, once `berth up` has written it.
  Path kubeconfig() throws IOException, InterruptedException {
    Path file = dataDir.resolve("admin.kubeconfig");
    // The file appears when the server listens; nothing else says so to another process.
    while (!Files.exists(file)) {
      if (!process.isAlive()) {
        throw new IOException("berth up exited: " + Files.readString(dataDir.resolve("up.log")));
      }
      Thread.sleep(Duration.ofMillis(20));
    }
    return file;
  }

  /// The socket of the containerd that runs the pods.
  Path socket() throws IOException {
    Path directory = dataDir.resolve("containerd");
    try (Stream<Path> all = Files.walk(directory, 2)) {
      return all.filter(path -> path.endsWith("cri.sock"))
          // With a second containerd for crun, the one for runc has the shorter path.
          .min((one, other) -> one.toString().length() - other.toString().length())
          .orElseThrow(() -> new IOException("no containerd runs in " + directory));
    }
  }

  // The whole `berth up`: server, scheduler, controllers and agent, without containerd and its
  // shims.
  ProcessUse use() {
    return ProcessUse.of(process);
  }

  @Override
  public void close() {
    end(process, launcher, dataDir);
  }

  /// Stops a node with everything that it leaves running, and removes its control groups.
  static void end(Process process, Path launcher, Path dataDir) {
    // SIGTERM. What survives it, containerd and its shims, belongs to `berth down`.
    process.destroy();
    try {
      process.waitFor();
      new ProcessBuilder(
              List.of(launcher.toAbsolutePath().toString(), "down", "--data-dir", dataDir + ""))
          .redirectErrorStream(true)
          .redirectOutput(dataDir.resolve("down.log").toFile())
          .start()
          .waitFor();
    } catch (IOException e) {
      System.err.println("berth down failed: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

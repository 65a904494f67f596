package dev.berth.checks.contract;

import dev.berth.checks.containerd.TestImages;
import dev.berth.vm.VmRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/// The runtime of virtual machines in a process of its own, which a test may kill.
final class VmRuntimeProcess implements AutoCloseable {
  private static final String READY = "ready";

  private final Process process;

  private VmRuntimeProcess(Process process) {
    this.process = process;
  }

  static VmRuntimeProcess start(VmRuntimeHost host) throws IOException {
    Path ready = host.directory().resolve(READY);
    Files.deleteIfExists(ready);
    Path log = host.directory().resolve("service.log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                VmRuntimeProcess.class.getName(),
                host.directory().toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    Cri.await(() -> Files.exists(ready) || !process.isAlive());
    if (!process.isAlive()) {
      throw new AssertionError(Files.readString(log));
    }
    return new VmRuntimeProcess(process);
  }

  /// The process itself.
  public static void main(String[] args) throws Exception {
    VmRuntimeHost host = new VmRuntimeHost(Path.of(args[0]));
    VmRuntime runtime = VmRuntime.start(host.config(), Clock.systemUTC(), new Random());
    if (runtime.images().find(TestImages.BUSYBOX).isEmpty()) {
      Path archive = host.directory().resolve("images.tar");
      TestImages.write(archive);
      runtime.images().load(archive);
    }
    Files.createFile(host.directory().resolve(READY));
    Thread.currentThread().join();
  }

  /// As the kernel does when memory is short: no chance to clean up.
  void kill() throws InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(Duration.ofMinutes(1))) {
      throw new AssertionError("the process does not end");
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }
}

package dev.berth.checks.guest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/// A virtual machine without a virtual processor: QEMU translates every instruction, so that it
/// runs anywhere, ten times slower than this machine. It reaches servers of a test on loopback, and
/// its node is reached through a port of this machine.
final class Guest implements AutoCloseable {
  private static final AtomicInteger NEXT_PORT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(20_000, 31_000));

  /// How the guest names this machine.
  static final String HOST = "10.0.2.2";

  /// Ports of the guest.
  static final int SHELL_PORT = 7000;

  static final int NODE_PORT = 7001;

  /// Each of these features costs the translated kernel more time than it saves; with all of them a
  /// JVM starts ten times slower.
  private static final String PROCESSOR = "max,-erms,-fsrm,-la57,-smap,-smep,-xsave";

  private static final Duration ANSWER_LIMIT = Duration.ofMinutes(3);

  private final Process process;
  private final Path console;
  private final int shellPort;

  private Guest(Process process, Path console, int shellPort) {
    this.process = process;
    this.console = console;
    this.shellPort = shellPort;
  }

  /// Whether this machine can run one; a test assumes so or is skipped.
  static boolean isUsable() {
    try {
      GuestFiles.run("qemu-system-x86_64 --version");
      return GuestKernel.find().isPresent() && GuestDisk.isUsable();
    } catch (IOException _) {
      return false;
    }
  }

  /// Boots it; what runs in it is not waited for.
  ///
  /// @param start the first file system
  /// @param nodePort of this machine, for the guest's node
  static Guest boot(GuestKernel kernel, Path start, Path disk, int nodePort) throws IOException {
    int shellPort = freePort();
    Path console = disk.resolveSibling("console.log");
    Process process =
        new ProcessBuilder(
                "qemu-system-x86_64",
                "-accel",
                "tcg,thread=multi",
                "-cpu",
                PROCESSOR,
                "-smp",
                "2",
                "-m",
                "1536",
                "-nodefaults",
                "-no-user-config",
                "-no-reboot",
                "-display",
                "none",
                "-kernel",
                kernel.image().toString(),
                "-initrd",
                start.toString(),
                "-append",
                "console=ttyS0 quiet panic=-1 mitigations=off transparent_hugepage=never"
                    + " cgroup_no_v1=all",
                "-serial",
                "file:" + console,
                "-drive",
                "file=%s,if=none,id=disk,format=raw,cache=unsafe".formatted(disk),
                "-device",
                "virtio-blk-pci,drive=disk",
                "-netdev",
                "user,id=net,hostfwd=tcp:127.0.0.1:%d-:%d,hostfwd=tcp:127.0.0.1:%d-:%d"
                    .formatted(shellPort, SHELL_PORT, nodePort, NODE_PORT),
                "-device",
                "virtio-net-pci,netdev=net,romfile=")
            .redirectErrorStream(true)
            .redirectOutput(disk.resolveSibling("qemu.log").toFile())
            .start();
    return new Guest(process, console, shellPort);
  }

  /// Not one of those that the kernel gives to whoever wants any: nobody gets it meanwhile.
  static int freePort() throws IOException {
    while (true) {
      int port = NEXT_PORT.getAndIncrement();
      try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return port;
      } catch (BindException _) {
        // Taken.
      }
    }
  }

  /// Runs a script of the guest's shell; answers what it printed.
  String run(String script) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), shellPort)) {
      socket.setSoTimeout((int) ANSWER_LIMIT.toMillis());
      socket.getOutputStream().write(script.getBytes(StandardCharsets.UTF_8));
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("the guest does not answer: " + script, e);
    }
  }

  /// The content of a file of a control group.
  String group(String path, String file) {
    return run("cat /sys/fs/cgroup%s/%s 2>&1".formatted(path, file));
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /// Everything it said, and QEMU with it.
  String console() {
    try {
      return List.of(console, console.resolveSibling("qemu.log")).stream()
          .filter(Files::exists)
          .map(Guest::text)
          .reduce("", String::concat);
    } catch (UncheckedIOException e) {
      return e.toString();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

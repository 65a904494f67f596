package dev.berth.vm.guest;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.vm.guest.model.GuestConfig;
import dev.berth.vm.guest.model.GuestConfig.GuestNetwork;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.kernel.GuestFiles;
import dev.berth.vm.kernel.GuestKernel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A machine with the real guest program, booted once for all tests of this process. Its disk
/// `image0` has Debian's static busybox, `image1` one file, `image2` nothing.
final class TestMachine implements AutoCloseable {
  /// For connecting and for each request: the processor is emulated, perhaps on a busy host.
  static final Duration LIMIT = Duration.ofSeconds(60);

  private static final Duration BOOT = Duration.ofSeconds(45);
  private static final int ATTEMPTS = 4;
  private static final Path UNPACKED = Path.of("../target/guest");
  private static final Path QEMU = Path.of("/usr/bin/qemu-system-x86_64");

  private final Path directory;
  private final Process process;
  private final RecordingListener listener = new RecordingListener();
  private GuestAgent agent;

  private TestMachine(Path directory, Process process) {
    this.directory = directory;
    this.process = process;
    this.agent = GuestAgent.connect(socket(), BOOT, listener);
  }

  private static final class SharedMachine {
    private static final TestMachine MACHINE = boot();

    private SharedMachine() {}

    static {
      Runtime.getRuntime().addShutdownHook(new Thread(MACHINE::close));
    }
  }

  /// The machine of all tests. The test is skipped where no machine can be started.
  static TestMachine shared() {
    assumeTrue(Files.isExecutable(QEMU), "there is no " + QEMU);
    assumeTrue(Files.isDirectory(UNPACKED.resolve("boot")), "there is no kernel in " + UNPACKED);
    return SharedMachine.MACHINE;
  }

  private static TestMachine boot() {
    try {
      Path directory = Files.createTempDirectory("guest-machine");
      GuestFiles files = new GuestKernel(List.of(UNPACKED), directory.resolve("kernel")).files();
      MachineDisks.make(directory);
      // On a busy host a boot may make no progress: then another one does.
      for (int attempt = 1; ; attempt++) {
        Process process = MachineDisks.start(QEMU, files, directory);
        try {
          TestMachine machine = new TestMachine(directory, process);
          machine.configure();
          return machine;
        } catch (GuestException e) {
          process.destroyForcibly().onExit().join();
          if (attempt == ATTEMPTS) {
            throw new AssertionError(
                "no boot: " + Files.readString(directory.resolve("console")), e);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// As after every restore: loopback, random numbers and the clock come with it.
  private void configure() {
    agent.configure(new GuestConfig("", GuestNetwork.NONE, Map.of()), InstantSource.system());
  }

  Path socket() {
    return directory.resolve("agent.sock");
  }

  GuestAgent agent() {
    return agent;
  }

  RecordingListener listener() {
    return listener;
  }

  /// Ends the connection, if it has not ended, and makes another one.
  GuestAgent connect() {
    agent.close();
    agent = GuestAgent.connect(socket(), LIMIT, listener, listener.positions());
    return agent;
  }

  String console() throws IOException {
    return Files.readString(directory.resolve("console"));
  }

  boolean runs() {
    return process.isAlive();
  }

  /// Waits until QEMU ended.
  boolean awaitEnd() throws InterruptedException {
    return process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    agent.close();
    process.destroyForcibly().onExit().join();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

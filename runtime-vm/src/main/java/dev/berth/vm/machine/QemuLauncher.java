package dev.berth.vm.machine;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// Starts QEMU processes. They have a session of their own and outlive this process.
public final class QemuLauncher {
  private static final Duration RESTORE_LIMIT = Duration.ofSeconds(30);

  private final Path program;
  private final Path launcher;

  /// @param program `qemu-system-x86_64`
  /// @param directory where the launcher's own program is put
  public QemuLauncher(Path program, Path directory) {
    this.program = program;
    this.launcher = LauncherFile.install(directory.toAbsolutePath());
  }

  Path launcher() {
    return launcher;
  }

  /// Identifies the binary: a machine is restored by the QEMU that saved it.
  public String identity() throws IOException {
    BasicFileAttributes status = Files.readAttributes(program, BasicFileAttributes.class);
    return "%s %d %s".formatted(program, status.size(), status.lastModifiedTime());
  }

  /// Kills what a service that was killed itself left working in a directory.
  public void endProcesses(Path directory, int user) {
    for (ProcessIdentity process : ProcessIdentity.workingIn(directory, user, launcher)) {
      process.kill(Duration.ofSeconds(10));
    }
  }

  /// The command line of a plan; two plans with the same one can restore each other's machines.
  public List<String> command(QemuPlan plan) {
    return QemuCommand.of(launcher, program, group(plan.accelerator()), plan);
  }

  /// QEMU's own user may use the device only as a member of its group.
  private static int group(Accelerator accelerator) {
    return switch (accelerator) {
      case TCG -> 0;
      case KVM -> {
        try {
          yield (Integer) Files.getAttribute(Path.of("/dev/kvm"), "unix:gid");
        } catch (IOException none) {
          yield 0;
        }
      }
    };
  }

  /// Starts a process; it may end at once.
  ///
  /// @throws MachineException if QEMU is missing
  public ProcessIdentity spawn(QemuPlan plan) throws IOException {
    if (!Files.isExecutable(program)) {
      throw MachineFailures.missing(program, null);
    }
    for (String left :
        List.of(
            QemuCommand.MONITOR_SOCKET,
            QemuCommand.AGENT_SOCKET,
            QemuCommand.CONSOLE,
            QemuCommand.LOG)) {
      Files.deleteIfExists(plan.directory().resolve(left));
    }
    ProcessBuilder builder = new ProcessBuilder(command(plan));
    builder.directory(plan.directory().toFile());
    builder.redirectInput(new File("/dev/null"));
    builder.redirectErrorStream(true);
    builder.redirectOutput(plan.directory().resolve(MachineFailures.LAUNCH_LOG).toFile());
    builder.environment().clear();
    // Memory that one thread frees is then used by the others.
    builder.environment().put("MALLOC_ARENA_MAX", "1");
    Process process = builder.start();
    return ProcessIdentity.of(process.pid())
        .orElseThrow(() -> new IOException("QEMU's launcher is gone"));
  }

  /// Connects to the monitor of a process that was just started and, if it continues from a saved
  /// state, loads that and lets the guest run.
  public QemuMonitor begin(
      QemuPlan plan,
      ProcessIdentity process,
      Duration limit,
      Consumer<QemuMonitor.MonitorEvent> events,
      Runnable disconnected)
      throws IOException {
    Path socket = plan.directory().resolve(QemuCommand.MONITOR_SOCKET);
    QemuMonitor monitor = QemuMonitor.connect(socket, limit, process::alive, events, disconnected);
    try {
      if (plan.incoming().isPresent()) {
        restore(monitor, QemuCommand.incomingDescriptor(command(plan)));
      }
      return monitor;
    } catch (IOException | RuntimeException failure) {
      monitor.close();
      throw failure;
    }
  }

  public Path agentSocket(QemuPlan plan) {
    return plan.directory().resolve(QemuCommand.AGENT_SOCKET);
  }

  /// How much the guest wrote to its console so far.
  public long consoleBytes(QemuPlan plan) {
    return ConsoleRing.written(plan.directory().resolve(QemuCommand.CONSOLE));
  }

  /// The last lines of launcher, QEMU and guest, for a message.
  public String output(QemuPlan plan) {
    return MachineFailures.output(plan.directory());
  }

  public MachineException startFailure(String subject, QemuPlan plan, IOException cause) {
    return MachineFailures.start(subject, plan.directory(), cause);
  }

  private static void restore(QemuMonitor monitor, int descriptor) throws IOException {
    ignoreSharedMemory(monitor);
    monitor.execute("migrate-incoming", Map.of("uri", "fd:" + descriptor), RESTORE_LIMIT);
    long deadline = System.nanoTime() + RESTORE_LIMIT.toNanos();
    while (true) {
      JsonNode status = monitor.execute("query-status", Map.of(), RESTORE_LIMIT);
      if (!status.path("status").asText().equals("inmigrate")) {
        break;
      }
      if (System.nanoTime() > deadline) {
        throw new MonitorException("the saved state was not loaded in " + RESTORE_LIMIT);
      }
      LockSupport.parkNanos(500_000);
    }
    monitor.execute("cont", Map.of(), RESTORE_LIMIT);
  }

  /// The guest's memory is in its file already; only the state of the devices is saved or loaded.
  public static void ignoreSharedMemory(QemuMonitor monitor) throws IOException {
    Map<String, Object> capability = Map.of("capability", "x-ignore-shared", "state", true);
    monitor.execute(
        "migrate-set-capabilities", Map.of("capabilities", List.of(capability)), RESTORE_LIMIT);
  }
}

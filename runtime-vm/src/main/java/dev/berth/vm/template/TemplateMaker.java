package dev.berth.vm.template;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.Problem;
import dev.berth.vm.kernel.GuestFiles;
import dev.berth.vm.machine.Accelerator;
import dev.berth.vm.machine.MachineException;
import dev.berth.vm.machine.MachineSize;
import dev.berth.vm.machine.ProcessIdentity;
import dev.berth.vm.machine.QemuLauncher;
import dev.berth.vm.machine.QemuMonitor;
import dev.berth.vm.machine.QemuPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Boots a guest, waits until its program answers, and saves its machine.
final class TemplateMaker {
  private static final Duration BOOT_LIMIT = Duration.ofMinutes(4);
  private static final Duration MONITOR_LIMIT = Duration.ofSeconds(60);
  private static final Duration COMMAND_LIMIT = Duration.ofSeconds(30);
  private static final long LOOK_MILLIS = 200;

  private final QemuLauncher launcher;
  private final GuestProbe probe;
  private final int user;

  TemplateMaker(QemuLauncher launcher, GuestProbe probe, int user) {
    this.launcher = launcher;
    this.probe = probe;
    this.user = user;
  }

  /// A boot that did not come to its end; another one may.
  static final class BootFailure extends Exception {
    private static final long serialVersionUID = 1;

    BootFailure(String message) {
      super(message);
    }
  }

  /// Boots once and saves. The directory has the scratch disk; afterwards also the state.
  ///
  /// @param memory holds the guest's memory afterwards, which nobody maps any more
  void make(
      MachineSize size,
      GuestFiles guest,
      Accelerator accelerator,
      TemplateFiles files,
      SealedMemory memory)
      throws IOException, BootFailure {
    QemuPlan plan =
        new QemuPlan(
            "berth-template-" + size,
            files.directory(),
            user,
            size,
            accelerator,
            guest,
            new QemuPlan.GuestMemory.Mapped(memory.path(), false),
            new QemuPlan.ScratchDisk.Plain(files.scratch().getFileName().toString()),
            Optional.empty(),
            Optional.empty(),
            List.of());
    ProcessIdentity process = launcher.spawn(plan);
    try (QemuMonitor monitor = monitor(plan, process)) {
      awaitAnswer(plan, process);
      save(monitor, files);
    } finally {
      process.kill(COMMAND_LIMIT);
    }
  }

  private QemuMonitor monitor(QemuPlan plan, ProcessIdentity process) {
    try {
      return launcher.begin(plan, process, MONITOR_LIMIT, event -> {}, () -> {});
    } catch (IOException failure) {
      throw launcher.startFailure("a template", plan, failure);
    }
  }

  private void awaitAnswer(QemuPlan plan, ProcessIdentity process) throws BootFailure {
    Path socket = launcher.agentSocket(plan);
    CompletableFuture<Void> answer = new CompletableFuture<>();
    Thread prober =
        Thread.ofVirtual()
            .name("vm-template-probe")
            .start(
                () -> {
                  try {
                    probe.await(socket, BOOT_LIMIT);
                    answer.complete(null);
                  } catch (RuntimeException failure) {
                    answer.completeExceptionally(failure);
                  }
                });
    try {
      watch(plan, process, answer);
    } finally {
      prober.interrupt();
    }
  }

  private void watch(QemuPlan plan, ProcessIdentity process, CompletableFuture<Void> answer)
      throws BootFailure {
    BootProgress progress = new BootProgress();
    while (true) {
      try {
        answer.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        return;
      } catch (TimeoutException notYet) {
        if (!process.alive()) {
          throw new BootFailure("QEMU ended" + launcher.output(plan));
        }
        long written = launcher.consoleBytes(plan);
        if (progress.stuck(written, process.cpuNanos(), System.nanoTime())) {
          throw new BootFailure("the guest makes no progress" + launcher.output(plan));
        }
      } catch (ExecutionException failure) {
        throw new BootFailure(
            "the guest program does not answer: %s%s"
                .formatted(failure.getCause(), launcher.output(plan)));
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new BootFailure("interrupted");
      }
    }
  }

  /// The memory is in its file already, so only the state of the devices comes through a socket.
  private void save(QemuMonitor monitor, TemplateFiles files) throws IOException {
    monitor.execute("stop", Map.of(), COMMAND_LIMIT);
    QemuLauncher.ignoreSharedMemory(monitor);
    Path socket = files.directory().resolve("state.sock");
    try (StateReceiver receiver = StateReceiver.listen(socket, user)) {
      monitor.execute("migrate", Map.of("uri", "unix:state.sock"), COMMAND_LIMIT);
      receiver.receive(files.state(), COMMAND_LIMIT);
    }
    Files.deleteIfExists(socket);
    JsonNode result = monitor.execute("query-migrate", Map.of(), COMMAND_LIMIT);
    if (!result.path("status").asText().equals("completed")) {
      throw new MachineException(
          new Problem("a template cannot be saved", "QEMU says " + result, ""), null);
    }
    monitor.execute("quit", Map.of(), COMMAND_LIMIT);
  }
}

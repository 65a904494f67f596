package dev.berth.vm.machine;

import dev.berth.vm.machine.MachineRecord.MachinePhase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Consumer;

/// A machine that was started, by this process or an earlier one.
final class RunningMachine implements VirtualMachine {
  private static final Duration KILL_LIMIT = Duration.ofSeconds(10);

  private final MachineDirectory directory;
  private final MachineRecord record;
  private final ProcessIdentity process;
  private final ExitWatch exits;
  private final MonitorLink monitor;
  private final ImageSlots slots;
  private volatile boolean killed;
  private volatile boolean released;

  /// @param record of a machine whose process is known
  RunningMachine(MachineDirectory directory, MachineRecord record) {
    this.directory = directory;
    this.record = record;
    this.process = Objects.requireNonNull(record.process(), "process");
    this.exits = new ExitWatch(process);
    this.monitor =
        new MonitorLink(directory.file(QemuCommand.MONITOR_SOCKET), process, exits::sign);
    this.slots = new ImageSlots(directory, monitor);
  }

  MonitorLink monitor() {
    return monitor;
  }

  void disconnected() {
    exits.sign();
  }

  /// From now on the end of the process is noticed and written down.
  void watch() {
    if (record.exit() == null) {
      exits.start(this::ended);
    } else {
      exits.completed(record.exit());
    }
  }

  /// For a machine that an earlier process started: learns from QEMU what it did.
  void recover() {
    if (record.exit() == null && process.alive()) {
      slots.recover();
    }
  }

  private MachineExit ended() {
    MachineExit exit =
        ExitReasons.of(
            killed,
            monitor.shutdown(),
            console(),
            ConsoleRing.text(directory.file(QemuCommand.LOG)));
    monitor.close();
    try {
      if (!released && directory.record().isPresent()) {
        directory.write(record.ended(exit));
      }
    } catch (IOException removed) {
      // The machine's directory went away with the machine; nobody needs the reason later.
    }
    return exit;
  }

  /// Leaves the machine, and what is on disk about it, to somebody else.
  void release() {
    released = true;
    monitor.close();
  }

  @Override
  public String sandboxId() {
    return record.sandboxId();
  }

  @Override
  public long pid() {
    return process.pid();
  }

  @Override
  public MachineSize size() {
    return Objects.requireNonNull(record.size());
  }

  @Override
  public boolean sharesMemory() {
    return record.sharesMemory();
  }

  @Override
  public Path agentSocket() {
    return directory.file(QemuCommand.AGENT_SOCKET);
  }

  @Override
  public void attachImage(int slot, List<Path> extents) {
    slots.attach(slot, extents);
  }

  @Override
  public void detachImage(int slot) {
    slots.detach(slot);
  }

  @Override
  public SortedSet<Integer> usedSlots() {
    return slots.used();
  }

  @Override
  public void pause() {
    request("stop", Map.of(), "paused");
  }

  @Override
  public void resume() {
    request("cont", Map.of(), "resumed");
  }

  @Override
  public boolean paused() {
    return monitor.paused();
  }

  @Override
  public void balloon(long bytes) {
    if (record.sharesMemory()) {
      throw MachineFailures.refused(
          "virtual machine %s cannot give memory back".formatted(sandboxId()),
          "it shares memory with other machines of its template",
          "Use a class that does not share memory");
    }
    request("balloon", Map.of("value", bytes), "resized");
  }

  private void request(String command, Map<String, ?> arguments, String done) {
    try {
      monitor.execute(command, arguments);
    } catch (IOException failure) {
      throw MachineFailures.request(
          "virtual machine %s cannot be %s".formatted(sandboxId(), done), failure);
    }
  }

  @Override
  public MachineUsage usage() {
    long privateBytes = 0;
    long residentBytes = 0;
    try {
      for (String line : Files.readAllLines(Path.of("/proc/" + pid() + "/smaps_rollup"))) {
        String[] words = line.split("\\s+", -1);
        if (line.startsWith("Rss:")) {
          residentBytes = Long.parseLong(words[1]) * 1024;
        } else if (line.startsWith("Private_Clean:") || line.startsWith("Private_Dirty:")) {
          privateBytes += Long.parseLong(words[1]) * 1024;
        }
      }
    } catch (IOException gone) {
      return new MachineUsage(0, 0, 0);
    }
    return new MachineUsage(process.cpuNanos(), privateBytes, residentBytes);
  }

  @Override
  public String console() {
    return ConsoleRing.text(directory.file(QemuCommand.CONSOLE));
  }

  @Override
  public Optional<MachineExit> exit() {
    return exits.now();
  }

  @Override
  public Optional<MachineExit> awaitExit(Duration limit) throws InterruptedException {
    return exits.await(limit);
  }

  @Override
  public void onExit(Consumer<MachineExit> listener) {
    exits.listen(listener);
  }

  @Override
  public void kill() {
    if (record.phase() == MachinePhase.ENDED || exits.now().isPresent()) {
      return;
    }
    killed = true;
    if (!process.kill(KILL_LIMIT)) {
      throw MachineFailures.refused(
          "virtual machine %s cannot be killed".formatted(sandboxId()),
          "process %d is still there after %s".formatted(pid(), KILL_LIMIT),
          "The kernel keeps it, perhaps for a disk that does not answer");
    }
    exits.sign();
    try {
      exits.await(KILL_LIMIT);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

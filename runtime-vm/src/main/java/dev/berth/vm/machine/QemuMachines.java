package dev.berth.vm.machine;

import dev.berth.vm.machine.MachineRecord.MachinePhase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Machines as QEMU processes. Methods may be called from any thread; calls about one sandbox come
/// one after the other, as the service makes them.
public final class QemuMachines implements VirtualMachines, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(QemuMachines.class);
  private static final Duration KILL_LIMIT = Duration.ofSeconds(10);

  private final QemuSettings settings;
  private final QemuLauncher launcher;
  private final Supplier<Accelerator> accelerator;
  private final MachineCgroups cgroups;
  private final Map<String, RunningMachine> running = new ConcurrentHashMap<>();

  /// The user ids in use. Guarded by the lock.
  private final Map<String, Integer> users = new HashMap<>();

  private final ReentrantLock lock = new ReentrantLock();

  /// Call [#recover] before anything else.
  ///
  /// @param accelerator asked for each start; saved machines were saved with the same one
  public QemuMachines(
      QemuSettings settings, QemuLauncher launcher, Supplier<Accelerator> accelerator) {
    this.settings = settings;
    this.launcher = launcher;
    this.accelerator = accelerator;
    this.cgroups = new MachineCgroups(settings.cgroupRoot());
  }

  @Override
  public int reserve(String sandboxId) {
    MachineDirectory directory = directory(sandboxId);
    lock.lock();
    try {
      Integer known = users.get(sandboxId);
      if (known != null) {
        return known;
      }
      int user = UserIds.choose(settings, new HashSet<>(users.values()));
      create();
      directory.create();
      directory.write(MachineRecord.reserved(sandboxId, user));
      users.put(sandboxId, user);
      return user;
    } catch (IOException failure) {
      throw MachineFailures.files(sandboxId, failure);
    } finally {
      lock.unlock();
    }
  }

  private void create() throws IOException {
    Files.createDirectories(settings.directory());
    Files.setPosixFilePermissions(
        settings.directory(), PosixFilePermissions.fromString("rwx--x--x"));
  }

  @Override
  public VirtualMachine start(MachineSpec spec) {
    MachineDirectory directory = directory(spec.sandboxId());
    MachineRecord reserved =
        directory
            .record()
            .filter(record -> record.user() == spec.user())
            .filter(record -> record.sandboxId().equals(spec.sandboxId()))
            .orElseThrow(
                () ->
                    MachineFailures.refused(
                        "virtual machine of %s cannot start".formatted(spec.sandboxId()),
                        "user id %d is not reserved for it".formatted(spec.user()),
                        ""));
    if (running.containsKey(spec.sandboxId()) || reserved.phase() != MachinePhase.RESERVED) {
      throw MachineFailures.refused(
          "virtual machine of %s cannot start".formatted(spec.sandboxId()),
          "it was started before",
          "");
    }
    RunningMachine machine =
        new MachineStart(launcher, cgroups, directory, spec, accelerator.get()).run(reserved);
    running.put(spec.sandboxId(), machine);
    return machine;
  }

  @Override
  public Optional<VirtualMachine> find(String sandboxId) {
    return Optional.ofNullable(running.get(sandboxId));
  }

  @Override
  public List<VirtualMachine> recover() {
    lock.lock();
    try {
      create();
      List<VirtualMachine> found = new ArrayList<>();
      List<Thread> threads = new ArrayList<>();
      for (MachineDirectory directory : MachineDirectory.all(settings.directory())) {
        Optional<RunningMachine> machine = recoverOne(directory);
        machine.ifPresent(found::add);
        machine.ifPresent(known -> threads.add(Thread.ofVirtual().start(() -> connect(known))));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      return List.copyOf(found);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw MachineFailures.request("virtual machines are not recovered", interrupted);
    } catch (IOException failure) {
      throw MachineFailures.files(settings.directory().toString(), failure);
    } finally {
      lock.unlock();
    }
  }

  /// What cannot be removed delays no other machine; [#remove] tries once more.
  private Optional<RunningMachine> recoverOne(MachineDirectory directory) {
    try {
      return recover(directory);
    } catch (IOException failure) {
      log.error("virtual machine is not removed directory={}", directory.path(), failure);
      return Optional.empty();
    }
  }

  private Optional<RunningMachine> recover(MachineDirectory directory) throws IOException {
    Optional<MachineRecord> record = directory.record();
    if (record.isEmpty() || halfMade(record.get())) {
      log.info("virtual machine removed, its start was interrupted directory={}", directory.path());
      erase(directory, record);
      return Optional.empty();
    }
    String sandboxId = record.get().sandboxId();
    users.put(sandboxId, record.get().user());
    if (record.get().phase() == MachinePhase.RESERVED) {
      return Optional.empty();
    }
    RunningMachine machine = new RunningMachine(directory, record.get());
    machine.watch();
    running.put(sandboxId, machine);
    return Optional.of(machine);
  }

  /// A machine that does not answer is not harmed: its pod may still run. All are asked at once, so
  /// that one which does not answer delays none of the others.
  private static void connect(RunningMachine machine) {
    try {
      machine.recover();
    } catch (MachineException unanswered) {
      log.warn(
          "virtual machine does not answer sandbox={} reason={}",
          machine.sandboxId(),
          unanswered.problem());
    }
  }

  private static boolean halfMade(MachineRecord record) {
    return switch (record.phase()) {
      case RESERVED -> false;
      case STARTING -> true;
      case RUNNING, ENDED -> record.process() == null;
    };
  }

  @Override
  public void remove(String sandboxId) {
    MachineDirectory directory = directory(sandboxId);
    RunningMachine machine = running.get(sandboxId);
    if (machine != null) {
      machine.kill();
    }
    Optional<MachineRecord> record = directory.record();
    if (record.isPresent() && !record.get().sandboxId().equals(sandboxId)) {
      return;
    }
    try {
      erase(directory, record);
    } catch (IOException failure) {
      throw MachineFailures.files(sandboxId, failure);
    }
    running.remove(sandboxId);
    lock.lock();
    try {
      users.remove(sandboxId);
    } finally {
      lock.unlock();
    }
  }

  /// Lets go of all machines, which run on: another process, or another object, may now have them.
  @Override
  public void close() {
    running.values().forEach(RunningMachine::release);
    running.clear();
  }

  /// Ends what works for the machine and removes what it has. The directory goes last: while it is
  /// there, the rest is known.
  private void erase(MachineDirectory directory, Optional<MachineRecord> record)
      throws IOException {
    if (!Files.exists(directory.path())) {
      return;
    }
    int user = record.map(MachineRecord::user).orElse(-1);
    for (ProcessIdentity process :
        ProcessIdentity.workingIn(directory.path(), user, launcher.launcher())) {
      if (!process.kill(KILL_LIMIT)) {
        throw new IOException("process %d cannot be killed".formatted(process.pid()));
      }
    }
    cgroups.remove(record.map(MachineRecord::cgroups).orElse(List.of()));
    directory.delete();
  }

  private MachineDirectory directory(String sandboxId) {
    return MachineDirectory.of(settings.directory(), sandboxId);
  }
}

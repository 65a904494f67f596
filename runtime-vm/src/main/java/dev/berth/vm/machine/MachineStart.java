package dev.berth.vm.machine;

import dev.berth.vm.machine.QemuPlan.GuestMemory;
import dev.berth.vm.machine.QemuPlan.ScratchDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The start of one machine. What it makes is written down before, so that it can be removed
/// whenever it stops half-way.
final class MachineStart {
  private static final Duration MONITOR_LIMIT = Duration.ofSeconds(60);

  private final QemuLauncher launcher;
  private final MachineCgroups cgroups;
  private final MachineDirectory directory;
  private final MachineSpec spec;
  private final Accelerator accelerator;

  MachineStart(
      QemuLauncher launcher,
      MachineCgroups cgroups,
      MachineDirectory directory,
      MachineSpec spec,
      Accelerator accelerator) {
    this.launcher = launcher;
    this.cgroups = cgroups;
    this.directory = directory;
    this.spec = spec;
    this.accelerator = accelerator;
  }

  RunningMachine run(MachineRecord reserved) {
    try {
      List<Path> groups = cgroups.plan(spec.cgroupParent(), spec.sandboxId());
      boolean shares = spec.source() instanceof MachineSource.Restored;
      MachineRecord starting = reserved.starting(spec.size(), shares, groups);
      directory.write(starting);
      byte[] overlay = OverlayImage.empty(Files.size(base()));
      directory.writeOwned(MachineDirectory.OVERLAY, overlay, spec.user());
      QemuPlan plan = plan(cgroups.create(groups));
      ProcessIdentity process = launcher.spawn(plan);
      RunningMachine machine = new RunningMachine(directory, starting.running(process));
      return begin(machine, plan, process, starting);
    } catch (IOException failure) {
      throw MachineFailures.start(spec.sandboxId(), directory.path(), failure);
    }
  }

  private RunningMachine begin(
      RunningMachine machine, QemuPlan plan, ProcessIdentity process, MachineRecord starting)
      throws IOException {
    try {
      MonitorLink link = machine.monitor();
      link.use(launcher.begin(plan, process, MONITOR_LIMIT, link::event, machine::disconnected));
      directory.write(starting.running(process));
      machine.watch();
      return machine;
    } catch (IOException | RuntimeException failure) {
      process.kill(Duration.ofSeconds(5));
      throw failure;
    }
  }

  private QemuPlan plan(List<Path> joins) {
    GuestMemory memory =
        switch (spec.source()) {
          case MachineSource.Restored(_, SavedMachine saved) ->
              new GuestMemory.Mapped(saved.memory(), true);
          case MachineSource.Booted _ -> new GuestMemory.Anonymous();
        };
    Optional<Path> incoming =
        switch (spec.source()) {
          case MachineSource.Restored(_, SavedMachine saved) -> Optional.of(saved.state());
          case MachineSource.Booted _ -> Optional.empty();
        };
    return new QemuPlan(
        "berth-" + spec.sandboxId(),
        directory.path(),
        spec.user(),
        spec.size(),
        accelerator,
        spec.source().guest(),
        memory,
        new ScratchDisk.Overlay(MachineDirectory.OVERLAY, base()),
        incoming,
        Optional.of(spec.network()),
        joins);
  }

  private Path base() {
    return switch (spec.source()) {
      case MachineSource.Restored(_, SavedMachine saved) -> saved.scratch();
      case MachineSource.Booted(_, Path scratch) -> scratch;
    };
  }
}

package dev.berth.sim.vm;

import static dev.berth.cri.vm.v1.VirtualMachineEventType.VIRTUAL_MACHINE_EVENT_CRASHED;
import static dev.berth.cri.vm.v1.VirtualMachineEventType.VIRTUAL_MACHINE_EVENT_PAUSED;
import static dev.berth.cri.vm.v1.VirtualMachineEventType.VIRTUAL_MACHINE_EVENT_REBOOTED;
import static dev.berth.cri.vm.v1.VirtualMachineEventType.VIRTUAL_MACHINE_EVENT_REMOVED;
import static dev.berth.cri.vm.v1.VirtualMachineEventType.VIRTUAL_MACHINE_EVENT_RESUMED;
import static dev.berth.cri.vm.v1.VirtualMachineEventType.VIRTUAL_MACHINE_EVENT_STARTED;
import static dev.berth.cri.vm.v1.VirtualMachineEventType.VIRTUAL_MACHINE_EVENT_STOPPED;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.vm.v1.VirtualMachineEventType;
import dev.berth.cri.vm.v1.VirtualMachineState;
import dev.berth.sim.call.WaitingCaller;
import dev.berth.sim.knobs.ExitRule.Exit;
import dev.berth.sim.knobs.FaultRule.Facts;
import dev.berth.sim.model.ContainerLog;
import dev.berth.sim.model.SimSandbox;
import dev.berth.sim.time.SimClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/// The life cycle of virtual machines after their creation: start, stop, reboot, pause, resume,
/// end, remove.
///
/// Waiting for a guest happens without the machine's lock. Afterwards the virtual machine is looked
/// up again: another call may have stopped or removed it.
final class VmLifecycle {
  /// An annotation for guests that ignore shutdown requests, so that only a power cut stops them.
  private static final String IGNORES_SHUTDOWN = "sim.berth.dev/ignores-shutdown";

  private final SimVms vms;

  VmLifecycle(SimVms vms) {
    this.vms = vms;
  }

  /// Boots a machine that was created, stopped or crashed.
  ///
  /// @param paused whether it stays paused before its first instruction
  void start(String id, boolean paused) {
    change(
        id,
        vm -> {
          // A repeated start succeeds, because the answer of the first may have been lost.
          if (vm.state == VirtualMachineState.VIRTUAL_MACHINE_RUNNING) {
            return;
          }
          if (vm.isOn()) {
            throw vm.cannot("started");
          }
          vm.boots++;
          vm.startedAt = vms.machine.timeline().nanos();
          vm.finishedAt = 0;
          vm.reason = "";
          vm.message = "";
          openConsole(vm);
          print(vm, "booting");
          planEnd(vm);
          state(
              vm,
              paused
                  ? VirtualMachineState.VIRTUAL_MACHINE_PAUSED
                  : VirtualMachineState.VIRTUAL_MACHINE_RUNNING,
              VIRTUAL_MACHINE_EVENT_STARTED);
        });
  }

  /// Stops a virtual machine; returns whether its power was cut.
  boolean stop(String id, Duration timeout, WaitingCaller caller) {
    if (waitsForTimeout(id, timeout)) {
      caller.pause(vms.machine.timeline(), timeout);
    }
    return vms.machine.locked(
        () -> {
          SimVm vm = vms.find(id);
          if (!vm.isOn()) {
            return false;
          }
          // A paused guest cannot react to a shutdown request.
          boolean forced =
              timeout.isZero()
                  || ignoresShutdown(vm)
                  || vm.state == VirtualMachineState.VIRTUAL_MACHINE_PAUSED;
          end(
              vm,
              VirtualMachineState.VIRTUAL_MACHINE_STOPPED,
              forced ? "PowerCut" : "GuestShutdown",
              forced ? "the power was cut" : "the guest shut down");
          return forced;
        });
  }

  /// Reboots a virtual machine; returns whether it was reset.
  boolean reboot(String id, Duration timeout, WaitingCaller caller) {
    if (waitsForTimeout(id, timeout)) {
      caller.pause(vms.machine.timeline(), timeout);
    }
    return vms.machine.locked(
        () -> {
          SimVm vm = vms.find(id);
          if (vm.state != VirtualMachineState.VIRTUAL_MACHINE_RUNNING) {
            throw vm.cannot("rebooted");
          }
          vm.boots++;
          print(vm, "booting");
          vms.publish(vm, VIRTUAL_MACHINE_EVENT_REBOOTED, "");
          return timeout.isZero() || ignoresShutdown(vm);
        });
  }

  /// Halts the virtual processors; memory, interfaces and connections stay.
  void pause(String id) {
    move(
        id,
        VirtualMachineState.VIRTUAL_MACHINE_RUNNING,
        VirtualMachineState.VIRTUAL_MACHINE_PAUSED,
        VIRTUAL_MACHINE_EVENT_PAUSED,
        "paused");
  }

  void resume(String id) {
    move(
        id,
        VirtualMachineState.VIRTUAL_MACHINE_PAUSED,
        VirtualMachineState.VIRTUAL_MACHINE_RUNNING,
        VIRTUAL_MACHINE_EVENT_RESUMED,
        "resumed");
  }

  /// Removes a virtual machine. Succeeds for one that does not exist.
  void remove(String id) {
    vms.machine.locked(
        () -> {
          if (vms.contains(id)) {
            remove(vms.find(id));
          }
          return id;
        });
  }

  /// Removes the virtual machines of a sandbox that is removed.
  void removeIn(SimSandbox sandbox) {
    vms.all().stream().filter(vm -> vm.sandbox == sandbox).forEach(this::remove);
  }

  /// Ends the running machines of a sandbox that is stopped. The guest is not asked: CRI's stop of
  /// a sandbox has no grace period.
  void cutPowerIn(SimSandbox sandbox) {
    vms.all().stream()
        .filter(vm -> vm.sandbox == sandbox && vm.isOn())
        .forEach(
            vm ->
                end(
                    vm,
                    VirtualMachineState.VIRTUAL_MACHINE_STOPPED,
                    "PowerCut",
                    "the sandbox was stopped"));
  }

  private void remove(SimVm vm) {
    if (vm.isOn()) {
      end(vm, VirtualMachineState.VIRTUAL_MACHINE_STOPPED, "PowerCut", "it was removed");
    }
    vms.remove(vm);
    vms.publish(vm, VIRTUAL_MACHINE_EVENT_REMOVED, "");
  }

  private void move(
      String id,
      VirtualMachineState from,
      VirtualMachineState to,
      VirtualMachineEventType event,
      String verb) {
    change(
        id,
        vm -> {
          if (vm.state == to) {
            return;
          }
          if (vm.state != from) {
            throw vm.cannot(verb);
          }
          state(vm, to, event);
        });
  }

  /// Schedules the end of the guest if an exit rule matches: a shutdown for code 0, else a crash.
  private void planEnd(SimVm vm) {
    var pod = vm.sandbox.config().getMetadata();
    Facts facts =
        new Facts(
            vm.sandbox.handler(),
            vm.config.getImage().getImage(),
            pod.getNamespace(),
            pod.getName(),
            vm.name());
    vms.machine
        .knobs()
        .exits()
        .on(facts)
        .ifPresent(
            exit ->
                vm.ending =
                    vms.machine.timeline().after(exit.after(), () -> endByItself(vm, exit)));
  }

  private void endByItself(SimVm vm, Exit exit) {
    vms.machine.locked(
        () -> {
          if (vm.isOn()) {
            boolean well = exit.code() == 0;
            end(
                vm,
                well
                    ? VirtualMachineState.VIRTUAL_MACHINE_STOPPED
                    : VirtualMachineState.VIRTUAL_MACHINE_CRASHED,
                exit.reason().isEmpty()
                    ? (well ? "GuestShutdown" : "HypervisorExited")
                    : exit.reason(),
                "ended with code " + exit.code());
          }
          return vm;
        });
  }

  /// Ends a machine with a reason and a message, which stay in its status until the next start.
  private void end(SimVm vm, VirtualMachineState state, String reason, String message) {
    // A later start plans its own end.
    SimClock.Timer ending = vm.ending;
    if (ending != null) {
      ending.cancel();
    }
    vm.finishedAt = vms.machine.timeline().nanos();
    vm.reason = reason;
    vm.message = message;
    print(vm, message);
    ContainerLog console = vm.console;
    if (console != null) {
      console.close();
    }
    state(
        vm,
        state,
        state == VirtualMachineState.VIRTUAL_MACHINE_CRASHED
            ? VIRTUAL_MACHINE_EVENT_CRASHED
            : VIRTUAL_MACHINE_EVENT_STOPPED);
  }

  private void state(SimVm vm, VirtualMachineState state, VirtualMachineEventType event) {
    vm.state = state;
    vms.publish(vm, event, "");
  }

  private boolean waitsForTimeout(String id, Duration timeout) {
    return vms.machine.locked(
        () -> {
          SimVm vm = vms.find(id);
          return !timeout.isZero()
              && vm.state == VirtualMachineState.VIRTUAL_MACHINE_RUNNING
              && ignoresShutdown(vm);
        });
  }

  private static boolean ignoresShutdown(SimVm vm) {
    String pod = vm.sandbox.config().getAnnotationsOrDefault(IGNORES_SHUTDOWN, "");
    return vm.config.getAnnotationsOrDefault(IGNORES_SHUTDOWN, pod).equals("true");
  }

  private void openConsole(SimVm vm) {
    String path = VmViews.logPath(vm);
    if (path.isEmpty()) {
      return;
    }
    try {
      vm.console = ContainerLog.create(Path.of(path), vms.machine.timeline());
    } catch (IOException e) {
      throw CallRefusal.unknown("console log of %s cannot be written: %s".formatted(vm.name(), e));
    }
  }

  private static void print(SimVm vm, String text) {
    ContainerLog console = vm.console;
    if (console != null) {
      console.print("simulated guest " + vm.name() + ": " + text + "\n");
    }
  }

  private interface Change {
    void on(SimVm vm);
  }

  private void change(String id, Change change) {
    vms.machine.locked(
        () -> {
          SimVm vm = vms.find(id);
          change.on(vm);
          return vm;
        });
  }
}

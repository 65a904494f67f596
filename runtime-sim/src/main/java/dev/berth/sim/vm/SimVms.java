package dev.berth.sim.vm;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.serving.PrefixIndex;
import dev.berth.cri.vm.v1.VirtualMachineEvent;
import dev.berth.cri.vm.v1.VirtualMachineEventType;
import dev.berth.cri.vm.v1.VirtualMachineFilter;
import dev.berth.sim.model.SimMachine;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// The virtual machines of one hypervisor and the listeners for their events. The machine's lock
/// guards them.
final class SimVms {
  final SimMachine machine;
  private final PrefixIndex<SimVm> index = new PrefixIndex<>();
  private final List<Consumer<VirtualMachineEvent>> listeners = new CopyOnWriteArrayList<>();

  SimVms(SimMachine machine) {
    this.machine = machine;
  }

  SimVm find(String id) {
    try {
      return index.find(id);
    } catch (CallRefusal e) {
      throw e.in("virtual machine \"%s\"".formatted(id));
    }
  }

  boolean contains(String id) {
    return index.lookUp(id).isPresent();
  }

  List<SimVm> matching(VirtualMachineFilter filter) {
    return index.all().stream().filter(vm -> VmViews.fits(vm, filter)).toList();
  }

  /// A copy: callers remove machines while they iterate.
  List<SimVm> all() {
    return List.copyOf(index.all());
  }

  void put(SimVm vm) {
    index.put(vm.id, vm);
  }

  void remove(SimVm vm) {
    index.remove(vm.id);
  }

  void listen(Consumer<VirtualMachineEvent> listener) {
    listeners.add(listener);
  }

  void unlisten(Consumer<VirtualMachineEvent> listener) {
    listeners.remove(listener);
  }

  void publish(SimVm vm, VirtualMachineEventType type, String subject) {
    if (!listeners.isEmpty()) {
      VirtualMachineEvent event = VmViews.event(vm, type, subject, machine.timeline().nanos());
      listeners.forEach(listener -> listener.accept(event));
    }
  }
}

package dev.berth.sim.vm;

import dev.berth.cri.vm.v1.VirtualMachineEvent;
import dev.berth.cri.vm.v1.VirtualMachineEventType;
import dev.berth.cri.vm.v1.VirtualMachineFilter;
import dev.berth.sim.call.Refusal;
import dev.berth.sim.model.Index;
import dev.berth.sim.model.Machine;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// The virtual machines of one hypervisor, and who is told about them. Guarded by the machine's
/// lock.
final class Vms {
  final Machine machine;
  private final Index<Vm> index = new Index<>();
  private final List<Consumer<VirtualMachineEvent>> listeners = new CopyOnWriteArrayList<>();

  Vms(Machine machine) {
    this.machine = machine;
  }

  Vm find(String id) {
    try {
      return index.find(id);
    } catch (Refusal e) {
      throw e.in("virtual machine \"%s\"".formatted(id));
    }
  }

  boolean contains(String id) {
    return index.lookUp(id).isPresent();
  }

  List<Vm> matching(VirtualMachineFilter filter) {
    return index.all().stream().filter(vm -> VmViews.fits(vm, filter)).toList();
  }

  List<Vm> all() {
    return List.copyOf(index.all());
  }

  void put(Vm vm) {
    index.put(vm.id, vm);
  }

  void remove(Vm vm) {
    index.remove(vm.id);
  }

  void listen(Consumer<VirtualMachineEvent> listener) {
    listeners.add(listener);
  }

  void unlisten(Consumer<VirtualMachineEvent> listener) {
    listeners.remove(listener);
  }

  void tell(Vm vm, VirtualMachineEventType type, String subject) {
    if (!listeners.isEmpty()) {
      VirtualMachineEvent event = VmViews.event(vm, type, subject, machine.timeline().nanos());
      listeners.forEach(listener -> listener.accept(event));
    }
  }
}

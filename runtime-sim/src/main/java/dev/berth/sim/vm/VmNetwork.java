package dev.berth.sim.vm;

import static dev.berth.cri.vm.v1.VirtualMachineEventType.VIRTUAL_MACHINE_EVENT_INTERFACE_ATTACHED;
import static dev.berth.cri.vm.v1.VirtualMachineEventType.VIRTUAL_MACHINE_EVENT_INTERFACE_DETACHED;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.vm.v1.NetworkInterface;
import dev.berth.cri.vm.v1.NetworkInterfaceStatus;
import io.grpc.Status;
import java.util.List;

/// The network interfaces of virtual machines.
final class VmNetwork {
  private final SimVms vms;
  private final VmRules rules;

  VmNetwork(SimVms vms, VmRules rules) {
    this.vms = vms;
    this.rules = rules;
  }

  /// Attaches the configured interfaces. Without any, the virtual machine gets one in the pod's
  /// network with the sandbox's addresses.
  void attachConfigured(SimVm vm) {
    List<NetworkInterface> configured = vm.config.getNetworkInterfacesList();
    if (configured.isEmpty()) {
      add(vm, NetworkInterface.newBuilder().addAllIpAddresses(vm.sandbox.addresses()).build());
    }
    configured.forEach(one -> add(vm, one));
  }

  /// Adds an interface, also to a running guest: Capabilities has NETWORK_HOT_PLUG.
  NetworkInterfaceStatus attach(String id, NetworkInterface requested) {
    return vms.machine.locked(
        () -> {
          SimVm vm = vms.find(id);
          NetworkInterfaceStatus status = add(vm, requested);
          vms.publish(
              vm, VIRTUAL_MACHINE_EVENT_INTERFACE_ATTACHED, status.getInterface().getName());
          return status;
        });
  }

  void detach(String id, String name) {
    vms.machine.locked(
        () -> {
          SimVm vm = vms.find(id);
          if (vm.interfaces.remove(name) == null) {
            throw CallRefusal.notFound(
                "network interface \"%s\" of %s: not found".formatted(name, vm.name()));
          }
          vms.publish(vm, VIRTUAL_MACHINE_EVENT_INTERFACE_DETACHED, name);
          return vm;
        });
  }

  List<NetworkInterfaceStatus> list(String id) {
    return vms.machine.locked(() -> List.copyOf(vms.find(id).interfaces.values()));
  }

  /// Adds an interface, with a name and an address where the request leaves them to the runtime.
  /// Both stay the same as long as the interface exists.
  private NetworkInterfaceStatus add(SimVm vm, NetworkInterface requested) {
    rules.checkInterface(vm.interfaces.size(), requested.getModel());
    NetworkInterface.Builder made = requested.toBuilder();
    if (requested.getName().isEmpty()) {
      made.setName(freeName(vm));
    }
    if (requested.getMacAddress().isEmpty()) {
      made.setMacAddress(macAddress());
    }
    if (vm.interfaces.containsKey(made.getName())) {
      throw new CallRefusal(
          Status.Code.ALREADY_EXISTS,
          "%s already has a network interface %s".formatted(vm.name(), made.getName()));
    }
    NetworkInterfaceStatus status =
        NetworkInterfaceStatus.newBuilder()
            .setInterface(made.setModel("virtio"))
            // Linux limits the name of a network device to 15 characters.
            .setHostDevice("tap-" + vm.id.substring(0, 6) + "-" + vm.interfaces.size())
            .setLinkUp(true)
            .build();
    vm.interfaces.put(made.getName(), status);
    return status;
  }

  private static String freeName(SimVm vm) {
    int number = 0;
    while (vm.interfaces.containsKey("eth" + number)) {
      number++;
    }
    return "eth" + number;
  }

  private String macAddress() {
    String digits = vms.machine.ids().token();
    // QEMU's prefix of locally administered addresses.
    return "52:54:00:%s:%s:%s"
        .formatted(digits.substring(0, 2), digits.substring(2, 4), digits.substring(4, 6));
  }
}

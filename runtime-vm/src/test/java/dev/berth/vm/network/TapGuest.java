package dev.berth.vm.network;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Stands for a guest: a device in a namespace of its own, joined with the tap device of a pod by a
/// QEMU without a machine. QEMU uses the tap device as it does for a guest.
final class TapGuest implements AutoCloseable {
  private static final String DEVICE = "guest0";

  private final NetworkCommands commands;
  private final Path namespace;
  private final Process qemu;

  TapGuest(NetworkCommands commands, String name, PodInterface pod, PodAddresses addresses)
      throws IOException {
    this.commands = commands;
    this.namespace = commands.namespace(name);
    commands.inside(pod.namespace(), "ip", "tuntap", "add", "dev", DEVICE, "mode", "tap");
    this.qemu = qemu(pod);
    commands.inside(pod.namespace(), "ip", "link", "set", DEVICE, "netns", namespace.toString());
    configure(addresses);
  }

  Path namespace() {
    return namespace;
  }

  private static Process qemu(PodInterface pod) throws IOException {
    List<String> command =
        NetworkCommands.nsenter(
            pod.namespace(), "qemu-system-x86_64", "-machine", "none", "-nodefaults");
    command.addAll(List.of("-display", "none", "-monitor", "stdio"));
    for (String device : List.of(pod.tap(), DEVICE)) {
      String tap = "tap,id=%s,ifname=%s,script=no,downscript=no".formatted(device, device);
      command.addAll(List.of("-netdev", tap));
      String port = "hubport,id=port-%s,hubid=0,netdev=%s".formatted(device, device);
      command.addAll(List.of("-netdev", port));
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    // The monitor greets after all devices are open.
    var output = process.inputReader();
    StringBuilder seen = new StringBuilder();
    for (int next = output.read(); next >= 0; next = output.read()) {
      seen.append((char) next);
      if (seen.toString().contains("(qemu)")) {
        return process;
      }
    }
    throw new IOException("QEMU ended: " + seen);
  }

  /// Sets what a guest program sets.
  private void configure(PodAddresses addresses) throws IOException {
    inside("ip", "link", "set", DEVICE, "address", addresses.mac(), "up");
    inside("ip", "link", "set", DEVICE, "mtu", Integer.toString(addresses.mtu()));
    for (InterfaceAddress address : addresses.addresses()) {
      addAddress(address.address() + "/" + address.prefixLength());
    }
    for (PodRoute route : addresses.routes()) {
      if (route.gateway().isEmpty()) {
        inside("ip", "route", "add", route.destination(), "dev", DEVICE);
      } else {
        inside("ip", "route", "add", route.destination(), "via", route.gateway(), "dev", DEVICE);
      }
    }
  }

  void addAddress(String address) throws IOException {
    inside("ip", "address", "add", address, "dev", DEVICE);
  }

  private void inside(String... command) throws IOException {
    commands.inside(namespace, command);
  }

  @Override
  public void close() throws IOException {
    qemu.destroyForcibly().onExit().join();
    commands.run("umount", "--lazy", namespace.toString());
  }
}

package dev.berth.launch.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The names and addresses under which this machine may be called, without asking the network.
public final class HostNames {
  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  private HostNames() {}

  /// The machine's name and the address; for the wildcard address, each address of the machine.
  public static List<String> of(InetAddress bindAddress) {
    List<String> names = new ArrayList<>();
    if (bindAddress.isAnyLocalAddress()) {
      addAddresses(names);
    } else {
      names.add(bindAddress.getHostAddress());
    }
    addHostName(names);
    return names;
  }

  private static void addAddresses(List<String> names) {
    try {
      NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .filter(address -> !address.isLinkLocalAddress() && !address.isLoopbackAddress())
          .map(InetAddress::getHostAddress)
          .sorted()
          .forEach(names::add);
    } catch (SocketException _) {
      // They can be given with --tls-sans.
    }
  }

  private static void addHostName(List<String> names) {
    try {
      String name = Files.readString(HOST_NAME).strip().toLowerCase(Locale.ROOT);
      if (name.matches("[a-z0-9]([-.a-z0-9]*[a-z0-9])?")) {
        names.add(name);
      }
    } catch (IOException _) {
      // Not Linux, or a sandbox: then it has no name.
    }
  }
}

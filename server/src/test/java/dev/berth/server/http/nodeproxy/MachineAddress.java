package dev.berth.server.http.nodeproxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.Optional;

/// An address of this machine that is not of the loopback network: one that it has, or one that is
/// added to its loopback interface, for which the test must be root.
final class MachineAddress implements AutoCloseable {
  private static final String ADDED = "10.213.0.1/32";

  private final InetAddress address;
  private final boolean isAdded;

  private MachineAddress(InetAddress address, boolean isAdded) {
    this.address = address;
    this.isAdded = isAdded;
  }

  static MachineAddress open() throws IOException {
    Optional<InetAddress> found =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(one -> one.isSiteLocalAddress() && one.getAddress().length == 4)
            .findFirst();
    if (found.isPresent()) {
      return new MachineAddress(found.get(), false);
    }
    assertThat(ip("add")).as("ip address add %s dev lo", ADDED).isZero();
    return new MachineAddress(InetAddress.ofLiteral(ADDED.replaceFirst("/.*", "")), true);
  }

  private static int ip(String verb) throws IOException {
    return new ProcessBuilder("ip", "address", verb, ADDED, "dev", "lo")
        .inheritIO()
        .start()
        .onExit()
        .join()
        .exitValue();
  }

  InetAddress address() {
    return address;
  }

  @Override
  public void close() throws IOException {
    if (isAdded) {
      ip("del");
    }
  }
}

package dev.berth.chaos.machine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A bridge with network namespaces at its ports. Each namespace has one address, and each port can
/// be disconnected.
public final class NetworkHub {
  private static final String BRIDGE = "hub";
  private static final String NETWORK = "10.99.0.";

  private int ports;

  private NetworkHub() {}

  /// Creates the bridge. The calling process must be in a network namespace of the run.
  public static NetworkHub create() throws IOException {
    // A new network namespace has its loopback interface down.
    ShellCommand.run("ip", "link", "set", "lo", "up");
    ShellCommand.run("ip", "link", "add", BRIDGE, "type", "bridge");
    ShellCommand.run("ip", "address", "add", NETWORK + "1/24", "dev", BRIDGE);
    ShellCommand.run("ip", "link", "set", BRIDGE, "up");
    return new NetworkHub();
  }

  /// Adds a namespace with an address.
  public NetworkPort add(String name) throws IOException {
    ports++;
    String device = "port" + ports;
    String address = NETWORK + (10 + ports);
    ShellCommand.run("ip", "netns", "add", name);
    ShellCommand.run(
        "ip", "link", "add", device, "type", "veth", "peer", "name", "eth0", "netns", name);
    ShellCommand.run("ip", "link", "set", device, "master", BRIDGE, "up");
    inside(name, "ip", "link", "set", "lo", "up");
    inside(name, "ip", "address", "add", address + "/24", "dev", "eth0");
    inside(name, "ip", "link", "set", "eth0", "up");
    inside(name, "ip", "route", "add", "default", "via", NETWORK + "1");
    return new NetworkPort(name, device, address);
  }

  private static void inside(String name, String... command) throws IOException {
    List<String> words = new ArrayList<>(List.of("ip", "netns", "exec", name));
    words.addAll(List.of(command));
    ShellCommand.run(words);
  }
}

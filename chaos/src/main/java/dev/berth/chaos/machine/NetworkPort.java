package dev.berth.chaos.machine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A network namespace at a port of the hub.
///
/// @param device the hub's end of the virtual cable
public record NetworkPort(String name, String device, String address) {
  /// Wraps a command to run in this namespace. `ip netns exec` would also replace `/sys` and hide
  /// the control groups.
  public List<String> inside(List<String> command) {
    List<String> words = new ArrayList<>(List.of("nsenter", "--net=/run/netns/" + name));
    words.addAll(command);
    return words;
  }

  /// Disconnects the port: packets are lost, and connections stay open. No side gets a reset, as
  /// with a cable that is pulled.
  public void cut() throws IOException {
    ShellCommand.run("ip", "link", "set", device, "down");
  }

  public void join() throws IOException {
    ShellCommand.run("ip", "link", "set", device, "up");
  }

  public void remove() throws IOException {
    ShellCommand.run("ip", "netns", "delete", name);
  }
}

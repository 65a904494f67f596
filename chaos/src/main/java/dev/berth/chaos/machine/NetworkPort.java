package dev.berth.chaos.machine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A network namespace at the hub.
///
/// @param device the end of its cable at the hub
public record NetworkPort(String name, String device, String address) {
  /// A command in this namespace. Not with `ip netns exec`, which also replaces `/sys` and hides
  /// the control groups.
  public List<String> inside(List<String> command) {
    List<String> words = new ArrayList<>(List.of("nsenter", "--net=/run/netns/" + name));
    words.addAll(command);
    return words;
  }

  /// Packets are lost from now on, and nobody is informed.
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

package dev.berth.vm.network;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Where the networks of pods come from and what is kept about them.
///
/// @param state a directory of this service alone; it must be on a file system of this machine
/// @param configurations the directory of CNI configurations; the first file by name counts, and a
///   change counts for the next pod
/// @param plugins the directories of CNI plugins, searched in this order
/// @param limit the longest time that one plugin may take
public record PodNetworkConfig(
    Path state, Path configurations, List<Path> plugins, Duration limit) {
  /// Plugins that ask a DHCP server or a cloud need seconds; the local ones need 20 ms.
  public static final Duration USUAL_LIMIT = Duration.ofMinutes(1);

  public PodNetworkConfig {
    plugins = List.copyOf(plugins);
  }
}

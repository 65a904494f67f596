package dev.berth.vm.network;

import java.nio.file.Path;
import java.util.List;

/// A process that makes a network and is killed meanwhile.
final class ConnectingProcess {
  private ConnectingProcess() {}

  public static void main(String[] args) {
    PodNetworks networks =
        new CniPodNetworks(
            new PodNetworkConfig(
                Path.of(args[0]),
                Path.of(args[1]),
                List.of(Path.of(args[2]), PodNetworksIT.PLUGINS),
                PodNetworkConfig.USUAL_LIMIT));
    networks.create("killed", 1);
    networks.connect(new PodIdentity("killed", "shop", "web", "u1", List.of()));
  }
}

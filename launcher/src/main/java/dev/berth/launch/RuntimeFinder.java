package dev.berth.launch;

import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.agent.runtimes.registration.WorkloadType;
import dev.berth.cri.CriEndpoint;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Looks for runtimes that run on this machine.
record RuntimeFinder(Map<String, Path> places) {
  /// Where Linux distributions let them listen.
  static RuntimeFinder usual() {
    Map<String, Path> places = new LinkedHashMap<>();
    places.put("containerd", Path.of("/run/containerd/containerd.sock"));
    places.put("crio", Path.of("/run/crio/crio.sock"));
    return new RuntimeFinder(places);
  }

  /// Those at whose sockets somebody listens.
  List<RuntimeDeclaration> find() {
    return places.entrySet().stream()
        .filter(place -> isListenedAt(place.getValue()))
        .map(
            place ->
                new RuntimeDeclaration(
                    place.getKey(),
                    WorkloadType.CONTAINER,
                    new CriEndpoint.UnixSocket(place.getValue())))
        .toList();
  }

  private static boolean isListenedAt(Path socket) {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      return channel.isConnected();
    } catch (IOException e) {
      return false;
    }
  }
}

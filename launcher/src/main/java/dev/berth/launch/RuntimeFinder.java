package dev.berth.launch;

import dev.berth.agent.runtimes.RuntimeCheck;
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
import java.util.Optional;
import java.util.function.Function;

/// Looks for runtimes that run on this machine.
///
/// @param check says why no runtime answers at an endpoint; empty when one does
record RuntimeFinder(Map<String, Path> places, Function<CriEndpoint, Optional<String>> check) {
  /// Where Linux distributions let them listen.
  static RuntimeFinder usual() {
    Map<String, Path> places = new LinkedHashMap<>();
    places.put("containerd", Path.of("/run/containerd/containerd.sock"));
    places.put("crio", Path.of("/run/crio/crio.sock"));
    return new RuntimeFinder(places, RuntimeCheck::refusal);
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

  /// Sockets at which somebody listens who does not speak CRI, with what to do about it; taken from
  /// what was found.
  ///
  /// @param found those that answer stay in it
  String withoutSilent(List<RuntimeDeclaration> found) {
    StringBuilder words = new StringBuilder();
    found.removeIf(
        service -> {
          Optional<String> refusal = check.apply(service.endpoint());
          refusal.ifPresent(
              why ->
                  words.append(
                      (" (%s at %s is not used, because it does not answer CRI: %s; enable its CRI"
                              + " plugin, for containerd by taking cri out of disabled_plugins in"
                              + " /etc/containerd/config.toml, and restart it)")
                          .formatted(service.name(), service.endpoint(), why)));
          return refusal.isPresent();
        });
    return words.toString();
  }

  private static boolean isListenedAt(Path socket) {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      return channel.isConnected();
    } catch (IOException e) {
      return false;
    }
  }
}

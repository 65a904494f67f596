package dev.berth.launch.runtimes;

import dev.berth.agent.runtimes.RuntimeCheck;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.CriEndpoint;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Looks for runtimes that run on this machine.
///
/// @param places by name, the most usual first
/// @param check asks what the runtime at an endpoint could do for pods
/// @param kubelets finds kubelets that use one of them
public record RuntimeFinder(
    Map<String, Path> places,
    Function<CriEndpoint, RuntimeCheck.Answer> check,
    KubeletCheck kubelets) {
  /// A finder for the sockets that runtimes have on Linux distributions.
  public static RuntimeFinder usual(RuntimeAccess access) {
    Map<String, Path> places = new LinkedHashMap<>();
    places.put("containerd", Path.of("/run/containerd/containerd.sock"));
    places.put("crio", Path.of("/run/crio/crio.sock"));
    return new RuntimeFinder(places, RuntimeCheck::ask, KubeletCheck.of(access));
  }

  /// The runtimes at whose sockets a process listens.
  ///
  /// @param others runtimes that are included in any case
  List<RuntimeDeclaration> findAlso(Predicate<RuntimeDeclaration> others) {
    return declarations().filter(one -> others.test(one) || isListenedAt(one)).toList();
  }

  /// The runtimes at whose sockets a process listens, and those that are needed, each with its
  /// answer.
  ///
  /// @param needed endpoints at which this node may have pods
  List<FoundRuntime> find(Set<String> needed) {
    return declarations()
        .filter(one -> needed.contains(one.endpoint().toString()) || isListenedAt(one))
        .map(
            one ->
                new FoundRuntime(
                    one,
                    check.apply(one.endpoint()),
                    needed.contains(one.endpoint().toString()),
                    kubelets.problem(one)))
        .toList();
  }

  /// The runtime to expect where none runs yet.
  public RuntimeDeclaration mostUsual() {
    return declarations().findFirst().orElseThrow();
  }

  private Stream<RuntimeDeclaration> declarations() {
    return places.entrySet().stream()
        .map(
            place ->
                new RuntimeDeclaration(
                    place.getKey(),
                    WorkloadType.CONTAINER,
                    new CriEndpoint.UnixSocket(place.getValue())));
  }

  private static boolean isListenedAt(RuntimeDeclaration service) {
    if (!(service.endpoint() instanceof CriEndpoint.UnixSocket(Path socket))) {
      return false;
    }
    // A socket file alone proves nothing: it stays when its server is killed.
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      return channel.isConnected();
    } catch (IOException e) {
      return false;
    }
  }
}

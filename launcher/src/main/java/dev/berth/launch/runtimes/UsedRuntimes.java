package dev.berth.launch.runtimes;

import dev.berth.agent.runtimes.OwnSandboxes;
import dev.berth.agent.runtimes.RuntimeCheck;
import dev.berth.agent.runtimes.admin.NodeRuntimes.Places;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.agent.runtimes.registry.UnattendedSandboxes;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriException;
import dev.berth.launch.process.LineRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The runtimes that a node of `berth up` uses without having started them. `berth down` ends only
/// this node's pods in them.
///
/// @param directory the agent's directory
public record UsedRuntimes(Path directory) {
  private static final String RECORD = "used-runtimes";
  private static final String NODE = "node ";
  private static final String RUNTIME = "runtime ";

  /// Adds runtimes to those of earlier starts, which may still have pods.
  ///
  /// @param node the name under which the node uses them
  public void remember(String node, List<RuntimeDeclaration> services) throws IOException {
    Set<String> lines = record().read();
    lines.add(NODE + node);
    services.stream()
        .filter(this::isForeign)
        .map(one -> RUNTIME + one.endpoint())
        .forEach(lines::add);
    Files.createDirectories(directory);
    record().replace(lines);
  }

  private boolean isForeign(RuntimeDeclaration service) {
    return service.endpoint() instanceof CriEndpoint.UnixSocket(Path socket)
        && !socket.startsWith(directory.resolveSibling("containerd"))
        && !socket.startsWith(directory.resolveSibling("vm"));
  }

  private LineRecord record() {
    return new LineRecord(directory.resolve(RECORD));
  }

  private Set<String> recorded(String kind) throws IOException {
    return record().read().stream()
        .filter(line -> line.startsWith(kind))
        .map(line -> line.substring(kind.length()))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /// The endpoints of these runtimes, including those that were added while the agent ran.
  public Set<String> endpoints() throws IOException {
    Set<String> endpoints = recorded(RUNTIME);
    Places.below(directory).added().stream()
        .filter(this::isForeign)
        .map(one -> one.endpoint().toString())
        .forEach(endpoints::add);
    return endpoints;
  }

  /// The endpoints of runtimes that were found or named and may have pods; none if this node has no
  /// pod at all.
  Set<String> withPods() {
    try {
      Path pods = directory.resolve("pods");
      if (!Files.isDirectory(pods)) {
        return Set.of();
      }
      try (Stream<Path> all = Files.list(pods)) {
        return all.findAny().isPresent() ? recorded(RUNTIME) : Set.of();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Ends this node's pods in these runtimes, and nothing else.
  ///
  /// @param progress receives a line per action
  /// @return whether no pod is left; a runtime that does not answer may have some
  public boolean endPods(Duration grace, Consumer<String> progress) throws IOException {
    Optional<String> cluster = ClusterId.recorded(directory);
    if (cluster.isEmpty()) {
      return true;
    }
    Set<String> nodes = recorded(NODE);
    boolean isEmpty = true;
    for (String endpoint : endpoints()) {
      List<OwnSandboxes> own =
          nodes.stream()
              .map(node -> new OwnSandboxes(node, cluster.get(), directory.resolve("pods")))
              .toList();
      isEmpty &= endPods(endpoint, own, grace, progress);
    }
    if (isEmpty) {
      record().remove();
    }
    return isEmpty;
  }

  private static boolean endPods(
      String endpoint, List<OwnSandboxes> own, Duration grace, Consumer<String> progress) {
    try {
      CriEndpoint place = CriEndpoint.parse(endpoint);
      String refusal = RuntimeCheck.ask(place).refusal();
      if (!refusal.isEmpty()) {
        progress.accept(left(endpoint, refusal));
        return false;
      }
      int pods =
          UnattendedSandboxes.end(
              place, labels -> own.stream().anyMatch(one -> one.has(labels)), grace);
      progress.accept("%s: %d pods stopped; the runtime keeps running".formatted(endpoint, pods));
      return true;
    } catch (CriException | CriEndpoint.EndpointException e) {
      progress.accept(left(endpoint, String.valueOf(e.getMessage())));
      return false;
    }
  }

  private static String left(String endpoint, String why) {
    return "%s: pods are not stopped, because the runtime does not answer (%s); run `berth down` again when it does"
        .formatted(endpoint, why);
  }
}

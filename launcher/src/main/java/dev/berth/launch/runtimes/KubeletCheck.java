package dev.berth.launch.runtimes;

import dev.berth.agent.runtimes.RuntimeCheck;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.Problem;
import dev.berth.cri.CriEndpoint;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Finds out whether a kubelet uses a runtime. A kubelet stops every pod in its runtime that it
/// does not know, including those of Berth.
///
/// @param proc `/proc`
/// @param pods the names of pods that a kubelet has in a runtime
public record KubeletCheck(Path proc, Function<CriEndpoint, List<String>> pods) {
  /// A message names so many pods and counts the others.
  private static final int NAMED = 3;

  /// A check that finds no kubelet, for `--ignore-kubelet`.
  public static final KubeletCheck NONE = new KubeletCheck(Path.of("/nonexistent"), _ -> List.of());

  static KubeletCheck ofThisMachine() {
    return new KubeletCheck(Path.of("/proc"), RuntimeCheck::podsOfKubelet);
  }

  public static KubeletCheck of(RuntimeAccess access) {
    return access.besideKubelet() ? NONE : ofThisMachine();
  }

  /// Why a service cannot be used beside a kubelet; empty when none uses it.
  Optional<Problem> problem(RuntimeDeclaration service) {
    if (!(service.endpoint() instanceof CriEndpoint.UnixSocket(Path socket))) {
      return Optional.empty();
    }
    return users(socket)
        .or(() -> Files.exists(socket) ? podsIn(service.endpoint()) : Optional.empty())
        .map(user -> problem(service, user));
  }

  private Optional<String> users(Path socket) {
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (Path process : processes) {
        Optional<KubeletProcess> kubelet = KubeletProcess.read(process);
        if (kubelet.isPresent() && kubelet.get().uses(socket)) {
          return Optional.of("a kubelet uses it, " + kubelet.get().description());
        }
      }
    } catch (IOException _) {
      return Optional.empty(); // No Linux.
    }
    return Optional.empty();
  }

  /// A kubelet may be inside another program, as in k3s, or out of sight.
  private Optional<String> podsIn(CriEndpoint endpoint) {
    List<String> names = pods.apply(endpoint);
    if (names.isEmpty()) {
      return Optional.empty();
    }
    String first = String.join(", ", names.subList(0, Math.min(NAMED, names.size())));
    return Optional.of(
        "%d pods of a kubelet run in it (%s%s)"
            .formatted(names.size(), first, names.size() > NAMED ? ", ..." : ""));
  }

  private static Problem problem(RuntimeDeclaration service, String user) {
    return new Problem(
        "runtime service \"%s\" at %s cannot be used".formatted(service.name(), service.endpoint()),
        user + "; a kubelet stops all pods in its runtime that it does not know",
        "Stop the kubelet and its pods; use another runtime with --container-runtime-endpoint"
            + " (`berth up`: --private-containerd starts one); or accept the risk with --ignore-kubelet");
  }
}

package dev.berth.launch;

import dev.berth.client.ApiClient;
import dev.berth.client.ClientConfig;
import java.nio.file.Path;

/// A short life of everything there is, from which the JVM learns what to keep in its start-up
/// cache.
///
/// @param pods that the API server is asked to keep
/// @param rounds of pods that come, run and go on the node
public record Rehearsal(int pods, int rounds) {
  /// So many that the JVM knows what is hot and compiles it right away in every later life.
  public static final Rehearsal WHOLE = new Rehearsal(500, 10);

  /// Starts a control plane and a node in an empty folder, uses them, and stops them.
  ///
  /// @return whether all of it went well; if not, the JVM learnt less
  public boolean play(Path folder) {
    try (RehearsedNode node = RehearsedNode.in(folder);
        ControlPlane plane = ControlPlane.start(LaunchConfig.embedded(folder).with(node.config()));
        ApiClient client = ApiClient.open(ClientConfig.fromKubeconfig(plane.kubeconfig()))) {
      boolean answered = new RehearsedRequests(client).make(pods);
      return node.use(client, rounds) && answered;
    }
  }
}

package dev.berth.launch.training;

import dev.berth.client.ApiClient;
import dev.berth.client.ClientConfig;
import dev.berth.launch.controlplane.ControlPlane;
import dev.berth.launch.controlplane.LaunchConfig;
import java.nio.file.Path;
import java.util.function.Predicate;

/// A short run of the control plane, which the JVM observes to fill its start-up cache. The build
/// runs it; a failed request makes the cache less complete and never wrong.
///
/// @param pods how many pods are created in the API server
/// @param rounds how often a group of pods runs on a node; 0 runs no node
public record AotTraining(int pods, int rounds) {
  /// Number of pods of the training: enough requests that the JVM profiles hot methods, and
  /// compiles them at once in later runs.
  private static final int PODS = 500;

  /// The training of processes without a node: a cache with the classes of a node would cost them
  /// memory.
  public static final AotTraining OF_SERVER = new AotTraining(PODS, 0);

  public static final AotTraining WITH_NODE = new AotTraining(PODS, 10);

  /// Starts a control plane in an empty directory, uses it, and stops it.
  ///
  /// @return whether every request succeeded; otherwise the cache is less complete
  public boolean play(Path directory) {
    LaunchConfig plane = LaunchConfig.embedded(directory);
    if (rounds == 0) {
      return play(plane, _ -> true);
    }
    try (TrainingNode node = TrainingNode.in(directory)) {
      return play(plane.with(node.config()), client -> node.use(client, rounds));
    }
  }

  private boolean play(LaunchConfig config, Predicate<ApiClient> further) {
    try (ControlPlane plane = ControlPlane.start(config);
        ApiClient client = ApiClient.open(ClientConfig.fromKubeconfig(plane.kubeconfig()))) {
      boolean answered = new TrainingRequests(client).make(pods);
      return further.test(client) && answered;
    }
  }
}

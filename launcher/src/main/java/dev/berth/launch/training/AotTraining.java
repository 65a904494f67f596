package dev.berth.launch.training;

import dev.berth.client.ApiClient;
import dev.berth.client.ClientConfig;
import dev.berth.launch.controlplane.ControlPlane;
import dev.berth.launch.controlplane.LaunchConfig;
import java.nio.file.Path;
import java.util.function.Predicate;

/// A short life of everything there is, from which the JVM learns what to keep in its start-up
/// cache.
///
/// @param pods that the API server is asked to keep
/// @param rounds of pods that come, run and go on a node; with none there is no node
public record AotTraining(int pods, int rounds) {
  /// So many that the JVM knows what is hot and compiles it right away in every later life.
  private static final int PODS = 500;

  /// For processes without a node, which would carry the memory of its classes.
  public static final AotTraining OF_SERVER = new AotTraining(PODS, 0);

  public static final AotTraining WITH_NODE = new AotTraining(PODS, 10);

  /// Starts everything in an empty directory, uses it, and stops it.
  ///
  /// @return whether all of it went well; if not, the JVM learnt less
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

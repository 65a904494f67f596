package dev.berth.launch.training;

import static dev.berth.launch.training.TrainingRequests.object;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.pods.PodSettings;
import dev.berth.client.ApiClient;
import dev.berth.client.ClientException;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.cri.CriEndpoint;
import dev.berth.launch.agent.AgentConfig;
import dev.berth.launch.agent.LinuxSystem;
import dev.berth.launch.agent.LocalNode;
import dev.berth.launch.runtimes.RuntimeSource;
import dev.berth.launch.simulation.SimulatedRuntime;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The node of a training run: a real agent on a simulated runtime, which listens on a Unix socket
/// as a real runtime does.
final class TrainingNode implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TrainingNode.class);
  private static final String NAME = "training";

  /// Pods at the same time, below the maximum of a node.
  private static final int PODS = 30;

  /// Time limit of a step; the training goes on after it, because a partial cache is still useful.
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private static final ObjectKey ACCOUNT = new ObjectKey(NAME, "training");

  private final Path directory;
  private final SimulatedRuntime runtime;

  private TrainingNode(Path directory, SimulatedRuntime runtime) {
    this.directory = directory;
    this.runtime = runtime;
  }

  static TrainingNode in(Path directory) {
    CriEndpoint socket = new CriEndpoint.UnixSocket(directory.resolve("runtime.sock"));
    return new TrainingNode(
        directory,
        SimulatedRuntime.start(new LinuxSystem().simulated(), socket, Clock.systemUTC()));
  }

  /// Pods get no cgroups, because the training may run without privileges.
  LocalNode config() {
    PodSettings rules = PodSettings.USUAL.with(PodSettings.Groups.UNWANTED);
    AgentConfig agent =
        new AgentConfig(
            directory,
            NAME,
            InetAddress.getLoopbackAddress(),
            0,
            List.of(runtime.declaration()),
            AgentConfig.Traits.PLAIN.with(rules));
    return new LocalNode(agent, RuntimeSource.ANY);
  }

  /// Creates pods, waits until they run, and deletes them, many at a time.
  ///
  /// @return whether all pods ran and ended
  boolean use(ApiClient client, int rounds) {
    boolean succeeded = true;
    try {
      client.json(ResourceType.NAMESPACES).create(object("Namespace", new ObjectKey("", NAME)));
      client.json(ResourceType.SERVICE_ACCOUNTS).create(object("ServiceAccount", ACCOUNT));
      ResourceClient<ObjectNode> pods = client.json(ResourceType.PODS);
      for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < PODS; i++) {
          pods.create(pod(new ObjectKey(NAME, "pod-" + round + "-" + i)));
        }
        succeeded &= await(pods, all -> all.stream().allMatch(TrainingNode::isRunning));
        pods.deleteCollection(ListQuery.inNamespace(NAME), DeleteOptions.DEFAULT);
        succeeded &= await(pods, List::isEmpty);
      }
      return succeeded;
    } catch (ClientException e) {
      log.warn("training stopped before the node was used enough", e);
      return false;
    }
  }

  private static ObjectNode pod(ObjectKey key) {
    ObjectNode pod = object("Pod", key);
    ObjectNode spec = pod.putObject("spec").put("serviceAccountName", ACCOUNT.name());
    spec.putArray("containers").addObject().put("name", "main").put("image", "training:1");
    return pod;
  }

  private static boolean isRunning(ObjectNode pod) {
    return pod.at("/status/phase").asText().equals("Running");
  }

  private static boolean await(
      ResourceClient<ObjectNode> pods, Predicate<List<ObjectNode>> wanted) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!wanted.test(pods.list(ListQuery.inNamespace(NAME)))) {
      if (System.nanoTime() > end) {
        log.warn("training continues although pods have not reached their state limit={}", LIMIT);
        return false;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
    return true;
  }

  @Override
  public void close() {
    runtime.close();
  }
}

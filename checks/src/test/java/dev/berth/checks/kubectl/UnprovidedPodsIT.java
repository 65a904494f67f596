package dev.berth.checks.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.checks.TestCluster;
import dev.berth.launch.agent.StandaloneAgent;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pods that ask for what the agent does not provide, on a node with a runtime service for
/// containers and one for virtual machines.
class UnprovidedPodsIT {
  private static final Duration LONGEST = Duration.ofMinutes(2);
  private static final String MAIN =
      "containers: [{name: main, image: \"sim/web:1\", command: [sleep, \"1000000\"]}]";

  /// By name: the specification, and what the pod says about itself. Without a node's name the
  /// scheduler places it.
  private static final Map<String, String[]> PODS = new LinkedHashMap<>();

  static {
    String machine =
        "virtualMachine: {name: vm, image: debian, resources: {requests: {cpu: 100m, memory: 64Mi}}}";
    PODS.put("machine", new String[] {machine, "asks for a virtual machine"});
    PODS.put(
        "named-machine",
        new String[] {"nodeName: node-1; " + machine, "asks for a virtual machine"});
    PODS.put(
        "devices",
        new String[] {
          "nodeName: node-1; resourceClaims: [{name: gpu, resourceClaimName: gpu}]; " + MAIN,
          "asks for devices (gpu)"
        });
    PODS.put(
        "claim",
        new String[] {
          "nodeName: node-1; volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]; "
              + MAIN,
          "the agent does not serve volumes of its type"
        });
  }

  @TempDir private Path directory;

  @Test
  void theyStayPendingWithTheReasonAndDisturbNobody() throws InterruptedException {
    assumeTrue(Kubectl.isInstalled(), "kubectl is needed");
    try (TestCluster cluster = TestCluster.start(directory.resolve("data"));
        SimulatedServices services = new SimulatedServices("one", "vm");
        StandaloneAgent _ =
            StandaloneAgent.start(
                services.config(directory.resolve("agent"), "one", "vm"),
                SimulatedServices.entry(cluster))) {
      ReplicaSetPods pods = ReplicaSetPods.in(cluster, directory.resolve("cache"));
      PODS.forEach((name, spec) -> pods.specified(name, spec[0]));
      PODS.forEach((name, spec) -> await(name, () -> says(pods, name, spec[1])));
      pods.pod("greedy", "nodeName: node-1|, resources: {limits: {ephemeral-storage: 10Ki}}");
      pods.pod("web", "terminationGracePeriodSeconds: 0");
      pods.kubectl().run("wait", "--for=condition=Ready", "pod/web", "--timeout=120s");

      assertOthersAreMeasuredAndEvicted(pods);

      for (String name : PODS.keySet()) {
        JsonNode pod = pods.named(name);
        assertThat(pod.at("/status/phase").asText()).as(name).isEqualTo("Pending");
        assertThat(pod.at("/spec/nodeName").asText()).as(name).isEqualTo("node-1");
        // A volume that cannot be mounted is tried again, with growing pauses.
        assertThat(warnings(pods, name)).as(name).isBetween(1, name.equals("claim") ? 30 : 1);
        pods.kubectl().run("delete", "pod", name, "--timeout=20s");
      }
    }
  }

  /// The condition for what the node does not provide, the event for a volume.
  private static boolean says(ReplicaSetPods pods, String name, String why) {
    boolean byEvent = events(pods, name).contains(why);
    boolean byStatus = pods.named(name).path("status").toString().contains(why);
    return byEvent && (byStatus || name.equals("claim"));
  }

  private static void assertOthersAreMeasuredAndEvicted(ReplicaSetPods pods) {
    await(
        "greedy is evicted",
        () -> pods.named("greedy").at("/status/reason").asText().equals("Evicted"));
    for (String path : new String[] {"stats/summary", "metrics/resource"}) {
      await(
          path,
          () ->
              pods.kubectl()
                  .run("get", "--raw", "/api/v1/nodes/node-1/proxy/" + path)
                  .contains("\"web\""));
    }
    pods.kubectl().run("delete", "pod", "web", "--timeout=60s");
  }

  private static String events(ReplicaSetPods pods, String name) {
    return pods.kubectl()
        .run(
            "get",
            "events",
            "--field-selector",
            "type=Warning,involvedObject.name=" + name,
            "-o",
            "json");
  }

  /// How often anything was reported about a pod.
  private static int warnings(ReplicaSetPods pods, String name) {
    return ReplicaSetPods.parse(events(pods, name))
        .path("items")
        .valueStream()
        .mapToInt(event -> event.path("count").asInt(1))
        .sum();
  }

  private static void await(String what, BooleanSupplier condition) {
    Instant end = Instant.now().plus(LONGEST);
    while (!condition.getAsBoolean()) {
      assertThat(Instant.now()).as(what).isBefore(end);
    }
  }
}

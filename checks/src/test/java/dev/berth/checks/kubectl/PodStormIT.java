package dev.berth.checks.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.node.NodeOptions;
import dev.berth.agent.pods.admission.AdmissionRules;
import dev.berth.agent.pods.admission.UnresolvedPolicy;
import dev.berth.agent.pods.status.FailureReason;
import dev.berth.agent.pressure.EvictionSignal;
import dev.berth.agent.pressure.EvictionThreshold;
import dev.berth.agent.pressure.PressureRules;
import dev.berth.agent.pressure.ThresholdValue;
import dev.berth.checks.TestCluster;
import dev.berth.launch.agent.LinuxSystem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// ReplicaSets whose pods the node fails, for every reason that it has: with the real controller,
/// scheduler and agent none of them makes pods without a pause. A kubelet rejects pods for the same
/// reasons and without any pause.
class PodStormIT {
  /// What a node with enough room rejects, and the specification of the pod.
  private static final Map<FailureReason, String> REJECTED = new EnumMap<>(FailureReason.class);

  static {
    REJECTED.put(FailureReason.NODE_AFFINITY, "nodeName: node-1; nodeSelector: {no: such}");
    REJECTED.put(FailureReason.OUT_OF_CPU, "nodeName: node-1|, resources: {requests: {cpu: 100k}}");
    REJECTED.put(
        FailureReason.OUT_OF_MEMORY, "nodeName: node-1|, resources: {requests: {memory: 100Ti}}");
    REJECTED.put(
        FailureReason.OUT_OF_STORAGE,
        "nodeName: node-1|, resources: {requests: {ephemeral-storage: 100Pi}}");
    REJECTED.put(FailureReason.SYSTEM_NAME, "nodeName: node-1; os: {name: windows}");
    REJECTED.put(
        FailureReason.SYSTEM_SELECTOR,
        "nodeName: node-1; nodeSelector: {kubernetes.io/os: windows}");
    REJECTED.put(FailureReason.PLATFORM, "nodeName: node-1; architecture: s390x");
    REJECTED.put(
        FailureReason.SYSCTL,
        "nodeName: node-1; securityContext: {sysctls: [{name: kernel.msgmax, value: '1'}]}");
    // The scheduler chooses the node for these itself, again and again.
    REJECTED.put(
        FailureReason.APP_ARMOR,
        "securityContext: {appArmorProfile: {type: Localhost, localhostProfile: p}}");
    REJECTED.put(
        FailureReason.NODE_PORTS, "nodeName: node-1|, ports: [{containerPort: 80, hostPort: 80}]");
  }

  /// Those that have a test of their own below.
  private static final Set<FailureReason> SINGLE =
      EnumSet.of(
          FailureReason.CLASS_NOT_FOUND,
          FailureReason.DEADLINE_EXCEEDED,
          FailureReason.RUNTIME_UNRESOLVED,
          FailureReason.OUT_OF_PODS,
          FailureReason.PREEMPTED,
          FailureReason.TAINT_TOLERATION,
          FailureReason.EVICTED,
          FailureReason.SERVICE_GONE); // ServiceGoneStormIT

  /// What stays Pending: one pod, however long one waits.
  private static final Map<String, String> PENDING =
      Map.of(
          "unknown-handler", "nodeName: node-1; runtimeClassName: nobody",
          "unknown-handler-scheduled", "runtimeClassName: nobody",
          "unknown-service", "nodeName: node-1; runtimeServiceName: nobody",
          "resource-claims", "nodeName: node-1; resourceClaims: [{name: g, resourceClaimName: g}]",
          "volume-claim", "volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]");

  /// Evicted because it exceeds its own limit, on a node without pressure.
  private static final String GREEDY =
      "nodeName: node-1|, resources: {limits: {ephemeral-storage: 10Ki}}";

  private static final String CLASS =
      """
      apiVersion: node.k8s.io/v1
      kind: RuntimeClass
      metadata: {name: nobody}
      handler: nobody
      """;

  @TempDir private Path directory;

  @BeforeAll
  static void kubectlIsThere() {
    assumeTrue(Kubectl.isInstalled(), "kubectl is needed");
  }

  @Test
  void everyReasonOfTheAgentHasAReplicaSet() {
    Set<FailureReason> covered = EnumSet.copyOf(SINGLE);
    covered.addAll(REJECTED.keySet());

    assertThat(covered).containsExactlyInAnyOrder(FailureReason.values());
  }

  @Test
  void noReasonOfTheAgentLetsAControllerMakePodsWithoutAPause() {
    try (TestCluster cluster =
        TestCluster.withNode(
            directory.resolve("data"),
            new SystemWithoutAppArmor(new LinuxSystem()),
            NodeOptions.MAX_PODS,
            rules -> rules)) {
      ReplicaSetPods sets = ReplicaSetPods.in(cluster, directory.resolve("cache"));
      sets.kubectl().apply(CLASS, "apply", "-f", "-");
      sets.pod("port", "nodeName: node-1|, ports: [{containerPort: 80, hostPort: 80}]");
      sets.kubectl().run("wait", "--for=condition=Ready", "pod/port", "--timeout=60s");

      Map<String, String> specs = new LinkedHashMap<>(PENDING);
      REJECTED.forEach((reason, spec) -> specs.put(ReplicaSetPods.name(reason), spec));
      specs.put("no-class", "nodeName: node-1; runtimeClassName: missing");
      specs.put(ReplicaSetPods.name(FailureReason.EVICTED), GREEDY);
      sets.create(specs);

      REJECTED.keySet().forEach(sets::assertSlow);
      sets.assertSlow(FailureReason.EVICTED);
      assertOwnLimitExceeded(sets);
      PENDING.keySet().forEach(sets::assertOnePending);
      assertThat(sets.of("no-class")).as("admission refuses them").isEmpty();
      assertSuccessorsOfAMissingClassAreRefused(sets);
      assertDeadlinesAreRefused(sets);
    }
  }

  private static void assertOwnLimitExceeded(ReplicaSetPods sets) {
    assertThat(sets.of(ReplicaSetPods.name(FailureReason.EVICTED)))
        .filteredOn(pod -> pod.at("/status/phase").asText().equals("Failed"))
        .allSatisfy(
            pod -> assertThat(pod.at("/status/message").asText()).contains("ephemeral", "10Ki"));
  }

  /// A class that is deleted after its pod was created and before the node takes the pod.
  private static void assertSuccessorsOfAMissingClassAreRefused(ReplicaSetPods sets) {
    String app = ReplicaSetPods.name(FailureReason.CLASS_NOT_FOUND);
    sets.create(Map.of(app, "runtimeClassName: nobody; schedulerName: nobody"));
    sets.kubectl().run("wait", "--for=create", "pod", "-l", "app=" + app, "--timeout=60s");
    String pod = sets.of(app).getFirst().at("/metadata/name").asText();
    sets.kubectl().run("delete", "runtimeclass", "nobody");
    sets.kubectl()
        .apply(
            """
            {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "%s"},
             "target": {"kind": "Node", "name": "node-1"}}
            """
                .formatted(pod),
            "create",
            "--raw",
            "/api/v1/namespaces/default/pods/%s/binding".formatted(pod),
            "-f",
            "-");

    sets.awaitFailed(FailureReason.CLASS_NOT_FOUND, 1);
    sets.kubectl()
        .run("wait", "--for=condition=ReplicaFailure", "replicaset/" + app, "--timeout=60s");
    assertThat(sets.of(app)).as("admission refuses its successors").hasSize(1);
  }

  /// Only controllers whose pods may end give a deadline, and those have a back-off.
  private static void assertDeadlinesAreRefused(ReplicaSetPods sets) {
    String refusal =
        sets.kubectl()
            .refused(
                """
                apiVersion: apps/v1
                kind: ReplicaSet
                metadata: {name: deadline}
                spec:
                  selector: {matchLabels: {app: deadline}}
                  template:
                    metadata: {labels: {app: deadline}}
                    spec: {activeDeadlineSeconds: 1, containers: [{name: main, image: "sim/web:1"}]}
                """,
                "create",
                "-f",
                "-");
    assertThat(refusal).contains("activeDeadlineSeconds in ReplicaSet is not Supported");
  }

  @Test
  void aFullNodeAndATaintedNodeLetNoControllerMakePodsWithoutAPause() {
    try (TestCluster cluster =
        TestCluster.withNode(
            directory.resolve("data"),
            new LinuxSystem(),
            2,
            rules -> rules.with(AdmissionRules.STANDARD.with(UnresolvedPolicy.FAIL)))) {
      ReplicaSetPods sets = ReplicaSetPods.in(cluster, directory.resolve("cache"));
      Kubectl kubectl = sets.kubectl();
      kubectl.apply(CLASS, "apply", "-f", "-");
      String unresolved = ReplicaSetPods.name(FailureReason.RUNTIME_UNRESOLVED);
      sets.create(Map.of(unresolved, "nodeName: node-1; runtimeClassName: nobody"));
      sets.assertSlow(FailureReason.RUNTIME_UNRESOLVED);
      kubectl.run("delete", "replicaset", unresolved, "--wait=true");

      String preempted = ReplicaSetPods.name(FailureReason.PREEMPTED);
      sets.create(Map.of(preempted, "nodeName: node-1; terminationGracePeriodSeconds: 0"));
      sets.awaitRunning(preempted);
      sets.pod("first", "nodeName: node-1; priorityClassName: system-node-critical");
      kubectl.run("wait", "--for=condition=Ready", "pod/first", "--timeout=60s");
      sets.create(Map.of(ReplicaSetPods.name(FailureReason.OUT_OF_PODS), "nodeName: node-1"));
      sets.assertSlow(FailureReason.OUT_OF_PODS);
      sets.pod("second", "nodeName: node-1; priorityClassName: system-node-critical");
      assertPreemptedOnce(sets, preempted);

      kubectl.run("delete", "replicaset", "--all");
      kubectl.run("delete", "pod", "--all", "--force");
      kubectl.run("taint", "node", "node-1", "gone=yes:NoExecute");
      sets.create(Map.of(ReplicaSetPods.name(FailureReason.TAINT_TOLERATION), "nodeName: node-1"));
      sets.assertSlowAlthoughDeleted(FailureReason.TAINT_TOLERATION);
    }
  }

  /// The pod's successors find no room, and are rejected as slowly as others.
  private static void assertPreemptedOnce(ReplicaSetPods sets, String app) {
    sets.awaitFailed(FailureReason.PREEMPTED, 1);
    List<String> reasons =
        sets.of(app).stream()
            .map(pod -> pod.at("/status/reason"))
            .filter(JsonNode::isTextual)
            .map(JsonNode::asText)
            .toList();
    assertThat(reasons).containsOnlyOnce(FailureReason.PREEMPTED.toString());
  }

  @Test
  void aNodeUnderPressureLetsNoControllerMakePodsWithoutAPause() {
    EvictionThreshold always =
        EvictionThreshold.hard(EvictionSignal.MEMORY, new ThresholdValue(Long.MAX_VALUE / 4, 0));
    PressureRules pressure =
        new PressureRules(
            List.of(always), Duration.ofMinutes(5), Duration.ZERO, Duration.ofSeconds(1));
    try (TestCluster cluster =
        TestCluster.withNode(
            directory.resolve("data"),
            new LinuxSystem(),
            NodeOptions.MAX_PODS,
            rules -> rules.with(pressure))) {
      ReplicaSetPods sets = ReplicaSetPods.in(cluster, directory.resolve("cache"));
      sets.kubectl().run("wait", "--for=condition=MemoryPressure", "node/node-1", "--timeout=60s");
      sets.create(Map.of(ReplicaSetPods.name(FailureReason.EVICTED), "nodeName: node-1"));

      sets.assertSlow(FailureReason.EVICTED);
    }
  }
}

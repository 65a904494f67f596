package dev.berth.checks.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.checks.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// ReplicaSets whose pods the node rejects, for every reason that it has: with the real controller,
/// scheduler and agent none of them makes pods without a pause.
class PodStormIT {
  private static final JsonMapper MAPPER = new JsonMapper();

  /// The fourth fails a second after the third, the next ones 2, 4 and 8 seconds later.
  private static final int PODS = 7;

  private static final Duration LEAST = Duration.ofSeconds(1 + 2 + 4);

  private static final Duration LONGEST = Duration.ofMinutes(2);

  /// The reason with which the agent fails a pod, as a name of Kubernetes; its specification.
  private static final Map<String, String> REJECTED = new LinkedHashMap<>();

  static {
    REJECTED.put("NodeAffinity", "nodeName: node-1; nodeSelector: {no: such}");
    REJECTED.put("OutOfcpu", "nodeName: node-1|, resources: {requests: {cpu: 100k}}");
    REJECTED.put("OutOfmemory", "nodeName: node-1|, resources: {requests: {memory: 100Ti}}");
    REJECTED.put(
        "OutOfephemeral-storage",
        "nodeName: node-1|, resources: {requests: {ephemeral-storage: 100Pi}}");
    REJECTED.put("PodOSNotSupported", "nodeName: node-1; os: {name: windows}");
    REJECTED.put(
        "PodOSSelectorNodeLabelDoesNotMatch",
        "nodeName: node-1; nodeSelector: {kubernetes.io/os: windows}");
    REJECTED.put(
        "SysctlForbidden",
        "nodeName: node-1; securityContext: {sysctls: [{name: kernel.msgmax, value: '1'}]}");
  }

  /// What stays Pending: one pod, however long one waits.
  private static final Map<String, String> PENDING =
      Map.of(
          "unknown-handler", "nodeName: node-1; runtimeClassName: nobody",
          "unknown-handler-scheduled", "runtimeClassName: nobody",
          "unknown-service", "nodeName: node-1; runtimeServiceName: nobody",
          "resource-claims", "nodeName: node-1; resourceClaims: [{name: g, resourceClaimName: g}]",
          "volume-claim", "volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]");

  @Test
  void noReasonOfTheAgentLetsAControllerMakePodsWithoutAPause(@TempDir Path folder) {
    assumeTrue(Kubectl.isInstalled(), "kubectl is needed");
    try (TestCluster cluster = TestCluster.withNode(folder.resolve("data"), List.of())) {
      Kubectl kubectl = new Kubectl(cluster.kubeconfig(), folder.resolve("cache"));
      kubectl.run("wait", "--for=create", "serviceaccount/default", "--timeout=60s");
      kubectl.run("wait", "--for=condition=Ready", "node/node-1", "--timeout=60s");
      kubectl.apply(
          "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: nobody}\nhandler: nobody\n",
          "apply",
          "-f",
          "-");

      StringBuilder sets = new StringBuilder();
      REJECTED.forEach((reason, spec) -> sets.append(set(name(reason), spec)));
      PENDING.forEach((name, spec) -> sets.append(set(name, spec)));
      sets.append(set("no-class", "nodeName: node-1; runtimeClassName: missing"));
      kubectl.apply(sets.toString(), "apply", "-f", "-");

      REJECTED.keySet().forEach(reason -> assertSlow(kubectl, reason));
      PENDING.keySet().forEach(name -> assertOnePending(kubectl, name));
      assertThat(pods(kubectl, "no-class")).as("admission refuses them").isEmpty();
    }
  }

  private static void assertSlow(Kubectl kubectl, String reason) {
    await(
        () -> reason + ": " + pods(kubectl, name(reason)).size() + " pods",
        () -> failed(kubectl, reason).size() >= PODS);
    List<JsonNode> all = failed(kubectl, reason);
    assertThat(all)
        .allSatisfy(pod -> assertThat(pod.at("/status/reason").asText()).isEqualTo(reason));
    // Each is made when the one before it failed; times of creation are whole seconds.
    assertThat(Duration.between(created(all.get(3)), created(all.get(PODS - 1))).plusSeconds(1))
        .as(reason)
        .isGreaterThanOrEqualTo(LEAST);
  }

  private static void assertOnePending(Kubectl kubectl, String name) {
    assertThat(pods(kubectl, name))
        .as(name)
        .singleElement()
        .satisfies(pod -> assertThat(pod.at("/status/phase").asText()).isEqualTo("Pending"));
  }

  private static List<JsonNode> failed(Kubectl kubectl, String reason) {
    return pods(kubectl, name(reason)).stream()
        .filter(pod -> pod.at("/status/phase").asText().equals("Failed"))
        .toList();
  }

  private static List<JsonNode> pods(Kubectl kubectl, String app) {
    String json =
        kubectl.run(
            "get",
            "pods",
            "-l",
            "app=" + app,
            "--sort-by=.metadata.creationTimestamp",
            "-o",
            "json");
    try {
      return MAPPER.readTree(json).path("items").valueStream().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Instant created(JsonNode pod) {
    return Instant.parse(pod.at("/metadata/creationTimestamp").asText());
  }

  private static String name(String reason) {
    return "r-" + reason.toLowerCase(Locale.ROOT);
  }

  /// @param spec lines of the pod's specification, and behind a bar more fields of its container
  private static String set(String name, String spec) {
    String[] parts = spec.split("\\|", 2);
    return """
      apiVersion: apps/v1
      kind: ReplicaSet
      metadata: {name: %s}
      spec:
        replicas: 1
        selector: {matchLabels: {app: %s}}
        template:
          metadata: {labels: {app: %s}}
          spec:
            %s
            containers: [{name: main, image: "sim/web:1", command: [sleep, "1000000"]%s}]
      ---
      """
        .formatted(
            name, name, name, parts[0].replace("; ", "\n      "), parts.length > 1 ? parts[1] : "");
  }

  private static void await(Supplier<String> what, BooleanSupplier condition) {
    Instant end = Instant.now().plus(LONGEST);
    while (!condition.getAsBoolean()) {
      assertThat(Instant.now()).as(what.get()).isBefore(end);
    }
  }
}

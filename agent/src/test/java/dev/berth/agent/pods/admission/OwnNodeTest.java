package dev.berth.agent.pods.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.agent.pods.TestNode;
import dev.berth.agent.pods.references.PodJson;
import dev.berth.agent.pods.status.StatusFacts.PodFailure;
import dev.berth.api.pods.PodPlatform;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A pod runs only on a node that it chose and that does not drive it away.
final class OwnNodeTest {
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final String CONTAINERS =
      "containers: [{name: main, image: 'busybox:1', command: [sleep, '1000']}]";

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {matchExpressions: [{key: disk, operator: In, values: [ssd, nvme]}]}               |
          {matchExpressions: [{key: disk, operator: NotIn, values: [ssd]}]}                  | NodeAffinity
          {matchFields: [{key: metadata.name, operator: In, values: [node-1]}]}              |
          {matchFields: [{key: metadata.name, operator: In, values: [node-2]}]}              | NodeAffinity
          {matchExpressions: [{key: disk, operator: Exists}]}, {}                            |
          {}                                                                                 | NodeAffinity
          """)
  void requiredAffinityIsAskedFor(String terms, @Nullable String reason) throws Exception {
    String spec =
        "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
            + " {nodeSelectorTerms: [%s]}}}".formatted(terms);

    assertThat(refusal(spec, "").map(PodFailure::reason)).isEqualTo(Optional.ofNullable(reason));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          architecture: arm64     | 10.0.17763 | PROCESS | the node doesn't match Pod's architecture "arm64"
          architecture: amd64     | 10.0.17763 | PROCESS |
          osversion: 10.0.17763.1 | 10.0.17763 | PROCESS |
          osversion: 10.0.17000   | 10.0.17763 | PROCESS | the node doesn't match Pod's OS version "10.0.17000"
          osversion: 10.0.17000   | 10.0.17763 | HYPERV  |
          osversion: 10.0.20348   | 10.0.17763 | HYPERV  | the node doesn't match Pod's OS version "10.0.20348"
          osversion: 10.0.20348   | 10.0.26100 | PROCESS |
          osversion: 10.0.20348   | 10.0.26101 | PROCESS | the node doesn't match Pod's OS version "10.0.20348"
          osversion: 10.0.17763   | 10.0.20348 | PROCESS | the node doesn't match Pod's OS version "10.0.17763"
          osversion: 10.0.17763   | 10.0.20348 | HYPERV  |
          """)
  void architectureAndVersionAreThoseOfTheNode(
      String spec, String build, PodPlatform.Isolation isolation, @Nullable String why)
      throws Exception {
    JsonNode node =
        YAML.readTree(
            "metadata: {labels: {kubernetes.io/arch: amd64, node.kubernetes.io/windows-build: %s}}"
                .formatted(build));
    Pod pod = new PodBuilder().withSpec(YAML.readValue(spec, PodSpec.class)).build();

    assertThat(OwnNode.otherPlatform(pod, node, isolation).map(PodFailure::message))
        .isEqualTo(
            Optional.ofNullable(why)
                .map(
                    text ->
                        "Pod was rejected: Failed to admit pod as %s (this node: architecture \"amd64\", build \"%s\")"
                            .formatted(text, build)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {key: gone, effect: NoExecute}            | {key: other, operator: Exists}               | TaintToleration
          {key: gone, effect: NoExecute}            | {key: gone, operator: Exists}                |
          {key: gone, effect: NoExecute, value: a}  | {key: gone, value: a, effect: NoExecute}     |
          {key: gone, effect: NoExecute, value: a}  | {key: gone, value: b}                        | TaintToleration
          {key: gone, effect: NoExecute}            | {operator: Exists, effect: NoSchedule}       | TaintToleration
          {key: full, effect: NoSchedule}           | {key: other, operator: Exists}               |
          """)
  void onlyTaintsThatDrivePodsAwayCount(String taint, String toleration, @Nullable String reason)
      throws Exception {
    Optional<PodFailure> refusal = refusal("tolerations: [%s]".formatted(toleration), taint);

    assertThat(refusal.map(PodFailure::reason)).isEqualTo(Optional.ofNullable(reason));
    refusal.ifPresent(
        podFailure ->
            assertThat(podFailure.message())
                .isEqualTo(
                    "Pod was rejected: Predicate TaintToleration failed:"
                        + " node(s) had taints that the pod didn't tolerate"));
  }

  private static Optional<PodFailure> refusal(String spec, String taint) throws Exception {
    return OwnNode.refusal(
        PodJson.placement(YAML.readValue(spec, PodSpec.class)),
        YAML.readTree(
            "{metadata: {name: node-1, labels: {disk: ssd}}, spec: {taints: [%s]}}"
                .formatted(taint)));
  }

  @Test
  void aPodThatChoseAnotherNodeFailsAndOneThatWasTakenStays() throws Exception {
    try (TestNode node = new TestNode(directory)) {
      node.service("one");
      node.create(ResourceType.NODES, "{metadata: {name: node-1, labels: {disk: hdd}}}");
      node.start();

      node.pod("wrong", "nodeSelector: {disk: ssd}\n" + CONTAINERS);
      JsonNode status = node.awaitPhase("wrong", "Failed");
      assertThat(status.path("reason").asText()).isEqualTo("NodeAffinity");
      assertThat(status.path("message").asText())
          .isEqualTo(
              "Pod was rejected: Predicate NodeAffinity failed:"
                  + " node(s) didn't match Pod's node affinity/selector");

      label(node, "ssd");
      // The agent may not have seen the label yet.
      node.pod("right", "nodeSelector: {disk: ssd}\n" + CONTAINERS);
      node.awaitPhase("right", "Running");

      label(node, "hdd");
      node.stopAgent();
      node.start();
      node.pod("other", CONTAINERS);
      node.awaitPhase("other", "Running");
      assertThat(node.status("right").path("phase").asText()).isEqualTo("Running");
    }
  }

  private static void label(TestNode node, String disk) {
    var nodes = node.client.json(ResourceType.NODES);
    ObjectNode current = nodes.find(ObjectKey.clusterScoped("node-1")).orElseThrow();
    current.withObject("/metadata/labels").put("disk", disk);
    nodes.update(current);
  }
}

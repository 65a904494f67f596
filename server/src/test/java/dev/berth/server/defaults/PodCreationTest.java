package dev.berth.server.defaults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.pods.PodSamples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodCreationTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | BestEffort",
        "{limits: {nvidia.com/gpu: 1}} | BestEffort",
        "{requests: {cpu: 0}} | BestEffort",
        "{requests: {cpu: 1}} | Burstable",
        "{limits: {cpu: 1}} | Burstable",
        "{limits: {cpu: 1, memory: 1Gi}} | Guaranteed",
        "{limits: {cpu: 1, memory: 1Gi}, requests: {cpu: 1000m}} | Guaranteed",
        "{limits: {cpu: 1, memory: 1Gi}, requests: {cpu: 500m}} | Burstable"
      })
  void qualityOfServiceFollowsCpuAndMemory(String resources, String qos) {
    ObjectNode pod = PodSamples.podWithContainer("resources: " + resources);
    PodCreation.prepare(pod);
    assertThat(pod.get("status").toString())
        .isEqualTo("{\"phase\":\"Pending\",\"qosClass\":\"%s\"}".formatted(qos));
  }

  @Test
  void oneContainerWithoutLimitsMakesThePodBurstable() {
    ObjectNode pod =
        PodSamples.podOf(
            """
            containers:
            - {name: a, image: a, resources: {limits: {cpu: 1, memory: 1Gi}}}
            - {name: b, image: b}
            """);
    PodCreation.prepare(pod);
    assertThat(pod.at("/status/qosClass").asText()).isEqualTo("Burstable");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{limits: {cpu: 1, memory: 1Gi}} | {} | Guaranteed",
        "{limits: {cpu: 1, memory: 1Gi}} | {requests: {cpu: 500m}} | Burstable",
        "{limits: {memory: 1Gi}} | {} | Burstable",
        "{requests: {cpu: 1}} | {limits: {cpu: 1, memory: 1Gi}} | Burstable",
        "{} | {limits: {cpu: 1, memory: 1Gi}} | BestEffort"
      })
  void resourcesOfThePodAsAWholeCountInsteadOfThoseOfItsContainers(
      String whole, String container, String qos) {
    ObjectNode pod =
        PodSamples.podOf(
            "{resources: %s, containers: [{name: a, image: a, resources: %s}]}"
                .formatted(whole, container));
    new PodDefaults().apply(pod);
    PodCreation.prepare(pod);
    assertThat(pod.at("/status/qosClass").asText()).isEqualTo(qos);
  }

  @Test
  void requestsOfThePodAsAWholeAreThoseOfItsContainersOrTheLimit() {
    ObjectNode pod =
        PodSamples.podOf(
            """
            resources: {limits: {cpu: 2, memory: 1Gi}}
            initContainers: [{name: i, image: i, resources: {requests: {cpu: 250m}}}]
            containers:
            - {name: a, image: a, resources: {requests: {cpu: 100m}}}
            - {name: b, image: b, resources: {requests: {cpu: 200m}}}
            """);
    new PodDefaults().apply(pod);
    assertThat(pod.at("/spec/resources/requests").toString())
        .isEqualTo("{\"cpu\":\"300m\",\"memory\":\"1Gi\"}");
  }

  @Test
  void virtualMachinesCountAsContainers() {
    ObjectNode pod =
        PodSamples.podOf(
            "virtualMachine: {name: m, image: i, resources: {limits: {cpu: 1, memory: 1Gi}}}");
    PodCreation.prepare(pod);
    assertThat(pod.at("/status/qosClass").asText()).isEqualTo("Guaranteed");
  }

  @Test
  void gatedPodsSayWhyTheyAreNotScheduled() {
    ObjectNode pod = PodSamples.podOf("schedulingGates: [{name: example.com/x}]\ncontainers: []");
    PodCreation.prepare(pod);
    assertThat(pod.at("/status/conditions/0").toString())
        .isEqualTo(
            "{\"type\":\"PodScheduled\",\"status\":\"False\",\"lastProbeTime\":null,"
                + "\"lastTransitionTime\":null,\"reason\":\"SchedulingGated\",\"message\":"
                + "\"Scheduling is blocked due to non-empty scheduling gates\"}");
  }

  @Test
  void appArmorFieldsAndAnnotationsFollowEachOther() {
    ObjectNode pod =
        PodSamples.pod(
            """
            metadata:
              annotations:
                container.apparmor.security.beta.kubernetes.io/a: localhost/strict
            spec:
              securityContext: {appArmorProfile: {type: RuntimeDefault}}
              containers: [{name: a, image: a}, {name: b, image: b}]
            """);
    PodCreation.prepare(pod);
    assertThat(pod.at("/metadata/annotations").toString())
        .isEqualTo(
            "{\"container.apparmor.security.beta.kubernetes.io/a\":\"localhost/strict\","
                + "\"container.apparmor.security.beta.kubernetes.io/b\":\"runtime/default\"}");
    assertThat(pod.at("/spec/containers/0/securityContext/appArmorProfile").toString())
        .isEqualTo("{\"type\":\"Localhost\",\"localhostProfile\":\"strict\"}");
    assertThat(pod.at("/spec/containers/1").has("securityContext")).isFalse();
  }

  @Test
  void labelKeysBecomeRequirements() {
    ObjectNode pod =
        PodSamples.pod(
            """
            metadata: {labels: {app: web, tier: front}}
            spec:
              containers: []
              affinity:
                podAffinity:
                  requiredDuringSchedulingIgnoredDuringExecution:
                  - topologyKey: zone
                    labelSelector: {}
                    matchLabelKeys: [app, missing]
                    mismatchLabelKeys: [tier]
            """);
    PodCreation.prepare(pod);
    assertThat(pod.at("/spec/affinity/podAffinity").findValue("matchExpressions").toString())
        .isEqualTo(
            "[{\"key\":\"app\",\"operator\":\"In\",\"values\":[\"web\"]},"
                + "{\"key\":\"tier\",\"operator\":\"NotIn\",\"values\":[\"front\"]}]");
  }

  @Test
  void statusWritesKeepTheQualityOfService() {
    ObjectNode old = PodSamples.pod("status: {qosClass: Burstable}");
    ObjectNode pod = PodSamples.pod("status: {phase: Running}");
    PodCreation.prepareStatusUpdate(pod, old);
    assertThat(pod.at("/status/qosClass").asText()).isEqualTo("Burstable");
  }
}

package dev.berth.server.defaults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.pods.PodSamples;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PodDefaultsTest {
  /// What admission adds to every pod.
  private static final List<String> BY_ADMISSION =
      List.of(
          "serviceAccountName", "serviceAccount", "tolerations", "priority", "preemptionPolicy");

  @ParameterizedTest
  @ValueSource(strings = {"pod-create-defaults", "pod-create-rich"})
  void newPodsLookAsUpstreamAnswers(String label) {
    PodSamples.Capture capture = PodSamples.capture(label);
    ObjectNode pod = PodSamples.normal("core.v1.Pod", (ObjectNode) capture.request());
    new PodDefaults().apply(pod);
    PodCreation.prepare(pod);
    assertThat(pod.get("spec")).isEqualTo(withoutAdmission(capture.answer().path("spec")));
    assertThat(pod.get("status")).isEqualTo(capture.answer().path("status"));
  }

  private static JsonNode withoutAdmission(JsonNode answer) {
    ObjectNode spec = answer.deepCopy();
    spec.remove(BY_ADMISSION);
    ArrayNode volumes = (ArrayNode) spec.get("volumes");
    volumes.remove(volumes.size() - 1);
    if (volumes.isEmpty()) {
      spec.remove("volumes");
    }
    spec.get("containers").forEach(container -> ((ObjectNode) container).remove("volumeMounts"));
    return spec;
  }

  @ParameterizedTest
  @ValueSource(strings = {"pod-create-defaults", "pod-create-rich", "pod-after-binding"})
  void defaultingAgainChangesNothing(String label) {
    ObjectNode pod = PodSamples.capture(label).answer().deepCopy();
    new PodDefaults().apply(pod);
    assertThat(pod).isEqualTo(PodSamples.capture(label).answer());
  }

  @ParameterizedTest
  @CsvSource({
    "busybox, Always",
    "busybox:latest, Always",
    "registry.example.com:5000/team/app, Always",
    "localhost/app, Always",
    "busybox:1.36, IfNotPresent",
    "registry.example.com:5000/team/app:v2, IfNotPresent",
    "app@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, IfNotPresent",
    "app:latest@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, Always",
    "Not_A_Reference, IfNotPresent",
    "team/App, IfNotPresent",
    "a//b, IfNotPresent",
    "'', IfNotPresent"
  })
  void pullPolicyFollowsTheTag(String image, String policy) {
    ObjectNode pod = PodSamples.podOf("containers: [{name: a, image: '%s'}]".formatted(image));
    assertThat(pod.at("/spec/containers/0/imagePullPolicy").asText()).isEqualTo(policy);
  }

  @Test
  void templatesKeepRequestsHostPortsAndServiceLinksOpen() {
    ObjectNode template =
        PodSamples.normal(
            "core.v1.PodTemplateSpec",
            """
            spec:
              hostNetwork: true
              containers:
              - {name: a, image: 'a:1', ports: [{containerPort: 80}], resources: {limits: {cpu: 1}}}
            """);
    PodTemplateDefaults.apply(template);
    JsonNode container = template.at("/spec/containers/0");
    assertThat(container.path("resources").has("requests")).isFalse();
    assertThat(container.path("ports").path(0).toString())
        .isEqualTo("{\"containerPort\":80,\"protocol\":\"TCP\"}");
    assertThat(template.path("spec").has("enableServiceLinks")).isFalse();
    assertThat(template.at("/spec/restartPolicy").asText()).isEqualTo("Always");
  }

  @ParameterizedTest
  @CsvSource({"100u, 1m", "1n, 1m", "1500u, 2m", "3, 3", "1e-6, 1m", "64Mi, 64Mi"})
  void amountsAreWholeThousandths(String amount, String rounded) {
    ObjectNode pod =
        PodSamples.podWithContainer("resources: {requests: {cpu: '%s'}}".formatted(amount));
    assertThat(pod.at("/spec/containers/0/resources/requests/cpu").asText()).isEqualTo(rounded);
  }

  @Test
  void everyProbeAndHookIsCompleted() {
    ObjectNode pod =
        PodSamples.podWithContainer(
            """
            startupProbe: {tcpSocket: {port: 1}, periodSeconds: 5}
            lifecycle: {postStart: {httpGet: {port: 1}}, preStop: {exec: {command: [x]}}}
            """);
    assertThat(pod.at("/spec/containers/0/startupProbe").toString())
        .isEqualTo(
            "{\"tcpSocket\":{\"port\":1},\"periodSeconds\":5,\"timeoutSeconds\":1,"
                + "\"successThreshold\":1,\"failureThreshold\":3}");
    assertThat(pod.at("/spec/containers/0/lifecycle/postStart").toString())
        .isEqualTo("{\"httpGet\":{\"port\":1,\"path\":\"/\",\"scheme\":\"HTTP\"}}");
  }

  @Test
  void theOldNameOfTheServiceAccountIsUnderstoodAndKept() {
    ObjectNode pod = PodSamples.podOf("serviceAccount: robot\ncontainers: []");
    assertThat(pod.at("/spec/serviceAccountName").asText()).isEqualTo("robot");
    assertThat(pod.at("/spec/serviceAccount").asText()).isEqualTo("robot");
  }

  @Test
  void theSinglePodAddressLeads() {
    ObjectNode first = PodSamples.pod("status: {podIPs: [{ip: 10.0.0.1}, {ip: 'fd00::1'}]}");
    assertThat(first.at("/status/podIP").asText()).isEqualTo("10.0.0.1");
    ObjectNode single = PodSamples.pod("status: {podIP: 10.0.0.2, podIPs: [{ip: 10.0.0.1}]}");
    assertThat(single.at("/status/podIPs").toString()).isEqualTo("[{\"ip\":\"10.0.0.2\"}]");
  }

  @Test
  void aPlainOperatingSystemIsAName() {
    ObjectNode pod = PodSamples.podOf("os: windows\ncontainers: []");
    assertThat(pod.at("/spec/os/name").asText()).isEqualTo("windows");
  }
}

package dev.berth.agent.pods.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.observed.ObservedContainer.State;
import dev.berth.agent.pods.observed.ObservedPod;
import dev.berth.agent.pods.observed.ObservedSandbox;
import dev.berth.agent.pods.plan.ContainerWaiting;
import dev.berth.agent.pods.plan.PodPart;
import dev.berth.agent.pods.status.StatusFacts.Allotted;
import dev.berth.agent.pods.status.StatusFacts.PodFailure;
import dev.berth.agent.probes.ProbeWorkers.Verdict;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the API is told, from what is there.
final class StatusRulesTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");
  private static final ObjectNode NOTHING = JsonNodeFactory.instance.objectNode();
  private static final StatusFacts.Where HERE =
      new StatusFacts.Where(List.of("192.0.2.7"), "one", "kata", "containerd", true, "", "");

  @ParameterizedTest(name = "policy {0}, init {1}, there {2}, stopping {3}: {4}")
  @CsvSource(
      nullValues = "-",
      value = {
        "Always, -, -, false, Pending",
        "Always, -, a=running, false, Pending",
        "Always, -, a=running b=running, false, Running",
        "Always, -, a=running b=1, false, Running",
        "Always, -, a=0 b=0, false, Running",
        "Never, -, a=0 b=0, false, Succeeded",
        "Never, -, a=0 b=1, false, Failed",
        "Never, -, a=running b=1, false, Running",
        "OnFailure, -, a=0 b=0, false, Succeeded",
        "OnFailure, -, a=0 b=1, false, Running",
        "Never, i, i=1, false, Failed",
        "Always, i, i=1, false, Pending",
        "Always, i, i=0, false, Pending",
        "Always, -, a=running b=running, true, Running",
        "Always, -, a=137 b=0, true, Failed",
        "Always, -, a=0 b=0, true, Succeeded",
        "Never, -, a=cut b=running, false, Pending",
        "Never, -, a=0 b=cut, false, Pending",
        "Never, i, i=cut, false, Pending",
      })
  void phases(
      String policy,
      @Nullable String init,
      @Nullable String there,
      boolean stopping,
      String phase) {
    ObjectNode status =
        StatusRules.compute(
            facts(pod(policy, init), observed(there), NOTHING, Map.of(), Map.of(), stopping));

    assertThat(status.path("phase").asText()).isEqualTo(phase);
  }

  @Test
  void aRunningPodIsToldInFull() {
    ObjectNode status =
        StatusRules.compute(
            facts(
                pod("Always", null),
                observed("a=running b=running"),
                NOTHING,
                Map.of(),
                Map.of("b-0", new Verdict(true, false, true)),
                false));

    assertThat(status.path("containerStatuses").path(0).toString())
        .isEqualTo(
            """
            {"name":"a","state":{"running":{"startedAt":"2026-01-02T03:03:15Z"}},"lastState":{},\
            "ready":true,"restartCount":0,"image":"i:1","imageID":"sha256:1",\
            "containerID":"containerd://a-0","started":true}""");
    assertThat(condition(status, "Ready").toString())
        .isEqualTo(
            """
            {"lastProbeTime":null,"lastTransitionTime":"2026-01-02T03:04:05Z",\
            "message":"containers with unready status: [b]","reason":"ContainersNotReady",\
            "status":"False","type":"Ready"}""");
    assertThat(condition(status, "RuntimeServiceBound").path("message").asText())
        .isEqualTo("runtime service \"one\", handler \"kata\"");
    assertThat(status.path("podIPs").toString()).isEqualTo("[{\"ip\":\"10.0.0.9\"}]");
    assertThat(status.path("hostIPs").toString()).isEqualTo("[{\"ip\":\"192.0.2.7\"}]");
    assertThat(status.path("qosClass").asText()).isEqualTo("BestEffort");
    assertThat(status.path("startTime").asText()).isEqualTo("2026-01-02T03:04:05Z");
  }

  @Test
  void aContainerThatWaitsSaysWhyAndHowItEndedLast() {
    ContainerWaiting containerWaiting =
        new ContainerWaiting("CrashLoopBackOff", "back-off 10s", NOW.plusSeconds(10));
    JsonNode status =
        StatusRules.compute(
                facts(
                    pod("Always", null),
                    observed("a=3 b=running"),
                    NOTHING,
                    Map.of(PodPart.container("a"), containerWaiting),
                    Map.of(),
                    false))
            .path("containerStatuses")
            .path(0);

    assertThat(status.path("state").toString())
        .isEqualTo("{\"waiting\":{\"message\":\"back-off 10s\",\"reason\":\"CrashLoopBackOff\"}}");
    assertThat(status.path("lastState").path("terminated").path("exitCode").asInt()).isEqualTo(3);
    assertThat(status.path("lastState").path("terminated").path("reason").asText())
        .isEqualTo("Error");
  }

  @ParameterizedTest(name = "{0} containers leave {1} bytes: {2}")
  @CsvSource({"2, 4096, 4096", "3, 4096, 4096", "6, 4096, 2048", "6, 2048, 2048", "5, 4096, 2457"})
  void whatContainersLeaveIsShortenedWhereThereAreMany(int containers, int bytes, int told) {
    Pod pod = pod("Never", null);
    for (int more = 2; more < containers; more++) {
      pod.getSpec().getContainers().add(new ContainerBuilder().withName("c" + more).build());
    }
    StatusFacts plain = facts(pod, observed("a=1"), NOTHING, Map.of(), Map.of(), false);

    JsonNode status =
        StatusRules.compute(
            new StatusFacts(
                pod,
                NOTHING,
                plain.observed(),
                Map.of(),
                Map.of(),
                Map.of("a-0", "x".repeat(bytes)),
                null,
                false,
                HERE,
                Allotted.asSpecified(pod),
                NOW));

    assertThat(status.at("/containerStatuses/0/state/terminated/message").asText()).hasSize(told);
  }

  /// The next one counts on from there.
  @Test
  void whatWasToldOfAContainerStaysWhileItIsGoneAndTheNextIsNotThere() {
    Pod pod = pod("Always", null);
    ObjectNode before =
        StatusRules.compute(
            facts(pod, observed("a=running b=running"), NOTHING, Map.of(), Map.of(), false));
    ((ObjectNode) before.at("/containerStatuses/0")).put("restartCount", 4);

    JsonNode status =
        StatusRules.compute(facts(pod, observed(null), before, Map.of(), Map.of(), false))
            .at("/containerStatuses/0");

    assertThat(status.path("state").toString())
        .isEqualTo("{\"waiting\":{\"reason\":\"ContainerCreating\"}}");
    assertThat(status.path("restartCount").asInt()).isEqualTo(4);
    assertThat(status.path("containerID").asText()).isEqualTo("containerd://a-0");
    assertThat(status.path("ready").asBoolean()).isFalse();
    JsonNode end = status.at("/lastState/terminated");
    assertThat(end.path("containerID").asText()).isEqualTo("containerd://a-0");
    assertThat(end.path("reason").asText()).isEqualTo("ContainerStatusUnknown");
    assertThat(end.path("startedAt").asText()).isEqualTo("2026-01-02T03:03:15Z");
  }

  @Test
  void ofAStartThatWasCutShortNothingIsTold() {
    JsonNode status =
        StatusRules.compute(
                facts(
                    pod("Always", null),
                    observed("a=cut b=running"),
                    NOTHING,
                    Map.of(),
                    Map.of(),
                    false))
            .path("containerStatuses")
            .path(0);

    assertThat(status.toString())
        .isEqualTo(
            """
            {"name":"a","state":{"waiting":{"reason":"ContainerCreating"}},"lastState":{},\
            "ready":false,"restartCount":0,"image":"i:1","imageID":"","started":false}""");
  }

  @Test
  void whatCouldNotStartAndIsNotTriedAgainHasNoLastState() {
    Pod pod = pod("Never", null);
    ContainerWaiting containerWaiting =
        new ContainerWaiting("RunContainerError", "no such file", NOW);
    ObjectNode before =
        StatusRules.compute(
            facts(
                pod,
                observed("a=128"),
                NOTHING,
                Map.of(PodPart.container("a"), containerWaiting),
                Map.of(),
                false));

    JsonNode status =
        StatusRules.compute(facts(pod, observed("a=128"), before, Map.of(), Map.of(), false))
            .path("containerStatuses")
            .path(0);

    assertThat(before.at("/containerStatuses/0/lastState/terminated/exitCode").asInt())
        .isEqualTo(128);
    assertThat(status.at("/state/terminated/exitCode").asInt()).isEqualTo(128);
    assertThat(status.path("lastState").toString()).isEqualTo("{}");
  }

  @ParameterizedTest(name = "init {0}, there {1}: {2}")
  @CsvSource(
      nullValues = "-",
      value = {
        "-, -, ContainerCreating",
        "i, -, PodInitializing",
        "i, i=running, PodInitializing",
        "i, i=0, PodInitializing",
      })
  void whatWaitsForItsTurnSaysWhetherThereAreInitContainers(
      @Nullable String init, @Nullable String there, String reason) {
    ObjectNode status =
        StatusRules.compute(
            facts(pod("Always", init), observed(there), NOTHING, Map.of(), Map.of(), false));

    assertThat(status.findValues("waiting"))
        .isNotEmpty()
        .allSatisfy(one -> assertThat(one.path("reason").asText()).isEqualTo(reason));
  }

  @ParameterizedTest(name = "policy of the container {0}, there {1}: {2}")
  @CsvSource(
      nullValues = "-",
      value = {
        "-, -, false",
        "-, i=running, false",
        "-, i=1, false",
        "-, i=0, true",
        "Always, i=running, true",
        "Always, i=0, false",
      })
  void anInitContainerIsReadyWhenItIsThroughAndASidecarWhileItRuns(
      @Nullable String policy, @Nullable String there, boolean ready) {
    Pod pod = pod("Always", "i");
    pod.getSpec().getInitContainers().getFirst().setRestartPolicy(policy);

    ObjectNode status =
        StatusRules.compute(facts(pod, observed(there), NOTHING, Map.of(), Map.of(), false));

    assertThat(status.at("/initContainerStatuses/0/ready").asBoolean()).isEqualTo(ready);
  }

  @Test
  void anEphemeralContainerIsNeverReady() {
    Pod pod =
        new PodBuilder(pod("Always", null))
            .editSpec()
            .addNewEphemeralContainer()
            .withName("e")
            .withImage("i:1")
            .endEphemeralContainer()
            .endSpec()
            .build();

    JsonNode status =
        StatusRules.compute(facts(pod, observed("e=running"), NOTHING, Map.of(), Map.of(), false))
            .path("ephemeralContainerStatuses")
            .path(0);

    assertThat(status.path("state").has("running")).isTrue();
    assertThat(status.path("ready").asBoolean(true)).isFalse();
    assertThat(status.has("started")).isFalse();
  }

  @Test
  void mountsOfVolumesAreToldAsTheyCameOut() {
    Pod pod =
        new PodBuilder(pod("Always", "i"))
            .editSpec()
            .editInitContainer(0)
            .addNewVolumeMount()
            .withName("work")
            .withMountPath("/work")
            .endVolumeMount()
            .endInitContainer()
            .editContainer(0)
            .addNewVolumeMount()
            .withName("token")
            .withMountPath("/token")
            .withReadOnly(true)
            .endVolumeMount()
            .addNewVolumeMount()
            .withName("data")
            .withMountPath("/data")
            .withReadOnly(true)
            .withRecursiveReadOnly("IfPossible")
            .endVolumeMount()
            .endContainer()
            .endSpec()
            .build();

    ObjectNode status =
        StatusRules.compute(facts(pod, observed(null), NOTHING, Map.of(), Map.of(), false));

    assertThat(status.at("/initContainerStatuses/0/volumeMounts").toString())
        .isEqualTo("[{\"name\":\"work\",\"mountPath\":\"/work\"}]");
    assertThat(status.at("/containerStatuses/0/volumeMounts").toString())
        .isEqualTo(
            """
            [{"name":"token","mountPath":"/token","readOnly":true,"recursiveReadOnly":"Disabled"},\
            {"name":"data","mountPath":"/data","readOnly":true,"recursiveReadOnly":"Enabled"}]""");
    assertThat(status.at("/containerStatuses/1").has("volumeMounts")).isFalse();
  }

  @Test
  void initContainersThatAreNotThroughAreNamed() {
    ObjectNode status =
        StatusRules.compute(
            facts(pod("Always", "i"), observed("i=running"), NOTHING, Map.of(), Map.of(), false));

    assertThat(condition(status, "Initialized").path("message").asText())
        .isEqualTo("containers with incomplete status: [i]");
  }

  @Test
  void whatDoesNotChangeKeepsItsTimeAndIsNotWritten() {
    Pod pod = pod("Always", null);
    ObservedPod observed = observed("a=running b=running");
    ObjectNode before =
        StatusRules.compute(facts(pod, observed, NOTHING, Map.of(), Map.of(), false));

    ObjectNode after = StatusRules.compute(facts(pod, observed, before, Map.of(), Map.of(), false));

    assertThat(StatusDiff.patch(before, after)).isEmpty();
  }

  @Test
  void whyAPodFailedIsStillToldByTheNextAgent() {
    Pod pod = pod("Always", null);
    ObservedPod ended = observed("a=137 b=137");
    ObjectNode before = StatusRules.compute(facts(pod, ended, NOTHING, Map.of(), Map.of(), true));
    before.put("reason", "Evicted").put("message", "The node was low on resource: memory. ");

    ObjectNode after = StatusRules.compute(facts(pod, ended, before, Map.of(), Map.of(), true));

    assertThat(StatusDiff.patch(before, after)).isEmpty();
  }

  @Test
  void onlyWhatChangedIsWrittenAndWhatGoesIsNamed() {
    Pod pod = pod("Always", null);
    ObjectNode before =
        StatusRules.compute(facts(pod, observed("a=running"), NOTHING, Map.of(), Map.of(), false));
    ObjectNode after =
        StatusRules.compute(
            facts(pod, observed("a=running b=running"), before, Map.of(), Map.of(), false));

    ObjectNode patch = StatusDiff.patch(before, after);

    assertThat(patch.fieldNames())
        .toIterable()
        .containsExactly("phase", "conditions", "containerStatuses");
    assertThat(condition(patch, "Ready").toString())
        .isEqualTo(
            """
            {"lastProbeTime":null,"lastTransitionTime":"2026-01-02T03:04:05Z",\
            "status":"True","type":"Ready","message":null,"reason":null}""");
    assertThat(patch.path("conditions")).hasSize(2);
  }

  @Test
  void aContainerThatVanishedIsToldAsLost() {
    Pod pod = pod("Always", null);
    ObjectNode before =
        StatusRules.compute(
            facts(pod, observed("a=running b=running"), NOTHING, Map.of(), Map.of(), false));

    ObjectNode status =
        StatusRules.compute(facts(pod, ObservedPod.NOTHING, before, Map.of(), Map.of(), true));

    assertThat(
            status
                .path("containerStatuses")
                .path(0)
                .path("state")
                .path("terminated")
                .path("reason")
                .asText())
        .isEqualTo("ContainerStatusUnknown");
  }

  @Test
  void ofAPodThatWasRefusedNoContainerIsSaidToBeMade() {
    StatusFacts refused =
        failed(
            pod("Always", "i"),
            ObservedPod.NOTHING,
            NOTHING,
            new PodFailure(FailureReason.OUT_OF_CPU, "no room"));

    ObjectNode status = StatusRules.compute(refused);

    assertThat(status.path("phase").asText() + status.path("reason").asText())
        .isEqualTo("FailedOutOfcpu");
    assertThat(status.has("containerStatuses") || status.has("initContainerStatuses")).isFalse();
  }

  @ParameterizedTest(name = "init {0}, there {1}: {2}")
  @CsvSource(
      nullValues = "-",
      value = {
        "-, -, a=Unknown b=Unknown",
        "-, a=0, a=Completed b=Unknown",
        "i, -, i=Unknown a=waiting b=waiting",
        "i, i=1, i=Error a=waiting b=waiting",
        "i, i=0, i=Completed a=Unknown b=Unknown",
      })
  void whatNeverStartedInAPodThatIsOverIsSaidToBeUnknown(
      @Nullable String init, @Nullable String there, String told) {
    Pod pod = pod("Never", init);
    ObjectNode before =
        StatusRules.compute(facts(pod, observed(null), NOTHING, Map.of(), Map.of(), false));
    PodFailure late = new PodFailure(FailureReason.DEADLINE_EXCEEDED, "too late");

    ObjectNode status = StatusRules.compute(failed(pod, observed(there), before, late));

    List<String> states = new ArrayList<>();
    for (String field : List.of("initContainerStatuses", "containerStatuses")) {
      for (JsonNode one : status.path(field)) {
        String reason = one.at("/state/terminated/reason").asText("waiting");
        states.add(one.path("name").asText() + "=" + reason.replace("ContainerStatus", ""));
      }
    }
    assertThat(String.join(" ", states)).isEqualTo(told);
    ObjectNode again = StatusRules.compute(failed(pod, observed(there), status, late));
    assertThat(StatusDiff.patch(status, again)).isEmpty();
  }

  private static StatusFacts facts(
      Pod pod,
      ObservedPod observed,
      JsonNode before,
      Map<PodPart, ContainerWaiting> waiting,
      Map<String, Verdict> verdicts,
      boolean stopping) {
    return facts(pod, observed, before, waiting, verdicts, stopping, null);
  }

  private static StatusFacts failed(
      Pod pod, ObservedPod observed, JsonNode before, PodFailure podFailure) {
    return facts(pod, observed, before, Map.of(), Map.of(), true, podFailure);
  }

  private static StatusFacts facts(
      Pod pod,
      ObservedPod observed,
      JsonNode before,
      Map<PodPart, ContainerWaiting> waiting,
      Map<String, Verdict> verdicts,
      boolean stopping,
      @Nullable PodFailure podFailure) {
    return new StatusFacts(
        pod,
        before,
        observed,
        waiting,
        verdicts,
        Map.of(),
        podFailure,
        stopping,
        HERE,
        Allotted.asSpecified(pod),
        NOW);
  }

  private static Pod pod(String policy, @Nullable String init) {
    return new PodBuilder()
        .withNewMetadata()
        .withName("web")
        .endMetadata()
        .withNewSpec()
        .withRestartPolicy(policy)
        .withInitContainers(
            init == null ? List.of() : List.of(new ContainerBuilder().withName(init).build()))
        .addNewContainer()
        .withName("a")
        .withImage("i:1")
        .endContainer()
        .addNewContainer()
        .withName("b")
        .withImage("i:1")
        .endContainer()
        .endSpec()
        .build();
  }

  private static ObservedPod observed(@Nullable String there) {
    List<ObservedContainer> containers = new ArrayList<>();
    for (String word : there == null ? List.<String>of() : Arrays.asList(there.split(" "))) {
      String[] parts = word.split("=", -1);
      boolean exited = Character.isDigit(parts[1].charAt(0));
      containers.add(
          new ObservedContainer(
              parts[0] + "-0",
              "s",
              parts[0],
              0,
              exited ? State.EXITED : parts[1].equals("cut") ? State.CANCELLED : State.RUNNING,
              "i:1",
              "sha256:1",
              NOW.minusSeconds(60),
              NOW.minusSeconds(50),
              exited ? NOW : null,
              exited ? Integer.parseInt(parts[1]) : 0,
              "",
              "",
              "",
              Map.of()));
    }
    return new ObservedPod(
        List.of(new ObservedSandbox("s", 0, true, NOW, "", List.of("10.0.0.9"), Map.of())),
        containers);
  }

  private static JsonNode condition(JsonNode status, String type) {
    for (JsonNode condition : status.path("conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition;
      }
    }
    throw new AssertionError("no condition " + type + " in " + status);
  }
}

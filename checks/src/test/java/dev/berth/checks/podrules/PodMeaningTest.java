package dev.berth.checks.podrules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.agent.cgroups.CgroupLimits;
import dev.berth.agent.files.DiskUsage;
import dev.berth.agent.pods.admission.AdmittedPods;
import dev.berth.agent.pods.admission.PodAdmissionQueue;
import dev.berth.agent.pods.admission.PodAdmissionQueue.Answer;
import dev.berth.agent.pods.config.CgroupSettings;
import dev.berth.agent.pods.config.ContainerCapacity;
import dev.berth.agent.pods.config.linux.LinuxResources;
import dev.berth.agent.pods.status.StatusFacts.PodFailure;
import dev.berth.agent.pressure.EvictionCandidate;
import dev.berth.agent.pressure.EvictionPlan;
import dev.berth.agent.pressure.EvictionSignal;
import dev.berth.agent.pressure.PodUsage;
import dev.berth.agent.pressure.PressureAdmission;
import dev.berth.agent.pressure.PressureCondition;
import dev.berth.agent.runtimes.PodRequest;
import dev.berth.agent.runtimes.registration.EndpointFlags;
import dev.berth.api.ResourceAmounts;
import dev.berth.api.pods.PodPlatform;
import dev.berth.api.pods.PodSource;
import dev.berth.api.pods.WorkloadType;
import dev.berth.api.resources.ObjectUsage;
import dev.berth.controllers.workloads.WorkloadPod;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.TrackedPod;
import dev.berth.server.defaults.PodCreation;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A row is a pod and what it means; every user of `dev.berth.api.pods` is asked.
final class PodMeaningTest {
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final long MIB = 1L << 20;

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          one container | containers: [{name: a, resources: {requests: {cpu: 100m, memory: 64Mi}}}] | 100 | 64 | Burstable
          requests equal limits | containers: [{name: a, resources: {requests: {cpu: '1', memory: 64Mi}, limits: {cpu: '1', memory: 64Mi}}}] | 1000 | 64 | Guaranteed
          nothing is requested | containers: [{name: a}] | 0 | 0 | BestEffort
          a virtual machine | virtualMachine: {name: v, resources: {requests: {cpu: '2', memory: 512Mi}}} | 2000 | 512 | Burstable
          a guaranteed virtual machine | virtualMachine: {name: v, resources: {requests: {cpu: '2', memory: 512Mi}, limits: {cpu: '2', memory: 512Mi}}} | 2000 | 512 | Guaranteed
          the pod as a whole | resources: {requests: {cpu: '2', memory: 256Mi}}, containers: [{name: a, resources: {requests: {cpu: 100m, memory: 64Mi}}}] | 2000 | 256 | Burstable
          an init container is larger | containers: [{name: a, resources: {requests: {cpu: 100m, memory: 64Mi}}}], initContainers: [{name: i, resources: {requests: {cpu: '1', memory: 32Mi}}}] | 1000 | 64 | Burstable
          a sidecar runs beside | containers: [{name: a, resources: {requests: {cpu: 100m, memory: 64Mi}}}], initContainers: [{name: s, restartPolicy: Always, resources: {requests: {cpu: 200m, memory: 32Mi}}}] | 300 | 96 | Burstable
          a sidecar and an init container after it | containers: [{name: a, resources: {requests: {cpu: 100m}}}], initContainers: [{name: s, restartPolicy: Always, resources: {requests: {cpu: 200m, memory: 32Mi}}}, {name: i, resources: {requests: {cpu: '1', memory: 32Mi}}}] | 1200 | 64 | Burstable
          overhead | overhead: {cpu: 250m, memory: 128Mi}, containers: [{name: a, resources: {requests: {cpu: 100m, memory: 64Mi}}}] | 350 | 192 | Burstable
          """)
  void requestsAndQualityOfServiceAreTheSameEverywhere(
      String name, String spec, long cpu, long memory, String qos) throws Exception {
    ObjectNode tree = tree(spec);
    Pod pod = pod(tree);

    // Server: the status of a new pod, and what a quota counts; the quota controller counts alike.
    ObjectNode created = tree.deepCopy();
    PodCreation.prepare(created);
    assertThat(created.at("/status/qosClass").asText()).isEqualTo(qos);
    ResourceAmounts usage = ObjectUsage.of(ObjectUsage.PODS, tree);
    assertThat(usage.orZero("requests.cpu").milli()).isEqualTo(cpu);
    assertThat(usage.orZero("requests.memory").value()).isEqualTo(memory * MIB);

    // Controllers: what the quota controller counts first; the command line: what fits a node.
    try (ReportedCluster reported = new ReportedCluster(tree)) {
      ResourceAmounts counted = reported.countedByTheQuotaController();
      assertThat(counted.orZero("requests.cpu").milli()).isEqualTo(cpu);
      assertThat(counted.orZero("requests.memory").value()).isEqualTo(memory * MIB);
      String type = WorkloadType.ofPod(pod).toString();
      assertThat(reported.isExplainedToFit(ReportedCluster.node(type, cpu, memory * MIB))).isTrue();
      if (cpu > 1) {
        assertThat(reported.isExplainedToFit(ReportedCluster.node(type, cpu - 1, memory * MIB)))
            .isFalse();
      }
      if (memory > 0) {
        assertThat(reported.isExplainedToFit(ReportedCluster.node(type, cpu, memory * MIB - 1)))
            .isFalse();
      }
    }

    // Scheduler: what the pod takes from a node.
    PodInfo scheduled = PodInfo.parse(tree);
    assertThat(scheduled.requests().cpu()).isEqualTo(cpu);
    assertThat(scheduled.requests().memory()).isEqualTo(memory * MIB);

    // Agent, admission: the pod fits exactly.
    assertThat(admission(pod, cpu, memory * MIB)).isInstanceOf(Answer.Taken.class);
    if (cpu > 1) {
      assertThat(admission(pod, cpu - 1, 0)).isInstanceOf(Answer.Refused.class);
      assertThat(admission(pod, 0, memory * MIB - 1))
          .isInstanceOf(memory > 0 ? Answer.Refused.class : Answer.Taken.class);
    }

    // Agent, control groups: the weight, and the level of the quality of service.
    CgroupLimits limits = LinuxResources.ofPod(pod);
    assertThat(limits.cpuShares())
        .isEqualTo(Math.max(CgroupLimits.SMALLEST_SHARES, cpu * 1024 / 1000));
    String level = qos.equals("Guaranteed") ? "" : "/" + qos.toLowerCase(java.util.Locale.ROOT);
    assertThat(new CgroupSettings("/kubepods", false, false).path(pod))
        .isEqualTo("/kubepods" + level + "/poduid-1");

    // Agent, eviction: what was requested does not exceed; memory pressure refuses best effort.
    assertThat(evictedFirst(pod, memory * MIB)).isEqualTo("other");
    assertThat(evictedFirst(pod, memory * MIB + 2)).isEqualTo("uid-1");
    assertThat(PressureAdmission.refusal(pod, Set.of(PressureCondition.MEMORY)).isPresent())
        .isEqualTo(qos.equals("BestEffort"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a container | containers: [{name: a, ports: [{containerPort: 1, hostPort: 80}]}] | true
          a sidecar | containers: [{name: a}], initContainers: [{name: s, restartPolicy: Always, ports: [{containerPort: 1, hostPort: 80}]}] | true
          an init container | containers: [{name: a}], initContainers: [{name: i, ports: [{containerPort: 1, hostPort: 80}]}] | false
          another protocol | containers: [{name: a, ports: [{containerPort: 1, hostPort: 80, protocol: UDP}]}] | false
          """)
  void hostPortsAreTheSameForSchedulerAndAgent(String name, String spec, boolean conflicts)
      throws Exception {
    ObjectNode other = tree("containers: [{name: b, ports: [{containerPort: 1, hostPort: 80}]}]");
    ((ObjectNode) other.path("metadata")).put("uid", "other");
    other.putObject("status").put("startTime", "2026-01-01T00:00:00Z");

    boolean inScheduler =
        PodInfo.parse(tree(spec)).ports().stream()
            .anyMatch(port -> PodInfo.parse(other).ports().stream().anyMatch(port::conflictsWith));
    Answer inAgent =
        new PodAdmissionQueue(ContainerCapacity.UNKNOWN)
            .ask(pod(tree(spec)), new Neighbors(List.of(pod(other))));

    assertThat(inScheduler).isEqualTo(conflicts);
    assertThat(inAgent instanceof Answer.Refused).isEqualTo(conflicts);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          containers: [{name: a}] | CONTAINER
          virtualMachine: {name: v} | VM
          """)
  void theWorkloadTypeIsTheSameEverywhere(String spec, WorkloadType type) throws Exception {
    assertThat(PodInfo.parse(tree(spec)).needs().workload()).isEqualTo(type);
    assertThat(PodRequest.of(pod(tree(spec))).workloadType()).isEqualTo(type);
    try (ReportedCluster reported = new ReportedCluster(tree(spec))) {
      for (WorkloadType other : WorkloadType.values()) {
        assertThat(
                reported.isExplainedToFit(
                    ReportedCluster.node(other.toString(), 8_000, 1_024 * MIB)))
            .as("berth explain, node of type %s", other)
            .isEqualTo(other == type);
      }
      assertThat(reported.advertisedTypeOf(ReportedCluster.node(type.toString(), 1, 1)))
          .contains("\"workloadType\" : \"%s\"".formatted(type));
    }
    // The registry chooses images for containers only.
    assertThat(ReportedCluster.runsImages(type.toString()))
        .isEqualTo(type == WorkloadType.CONTAINER);
  }

  /// The agent refuses to register such a service; of an agent that knows the type, the scheduler
  /// gives it no pod.
  @Test
  void anUnknownWorkloadTypeIsNoContainerForAnybody() throws Exception {
    JsonNode node =
        YAML.readTree(
            """
            metadata:
              name: n
              annotations: {berth.dev/runtime-services: '{"j": {"workloadType": "jail", "handlers": ["h"]}}'}
            """);

    assertThat(NodeInfo.parse(node).traits().runtimes().services())
        .singleElement()
        .satisfies(service -> assertThat(service.workload()).isNull());
    assertThatThrownBy(() -> EndpointFlags.read("jail:j:unix:///run/j.sock", ""))
        .hasMessageContaining("jail")
        .hasMessageContaining(WorkloadType.KNOWN);
    try (ReportedCluster reported = new ReportedCluster(tree("containers: [{name: a}]"))) {
      assertThat(reported.isExplainedToFit(ReportedCluster.node("jail", 1, 1))).isFalse();
      assertThat(reported.advertisedTypeOf(ReportedCluster.node("jail", 1, 1))).contains("jail");
    }
    assertThat(ReportedCluster.runsImages("jail")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"Pending, false", "Running, false", "Succeeded, true", "Failed, true"})
  void aPhaseIsFinalForAllOrForNobody(String phase, boolean isFinished) throws Exception {
    ObjectNode tree = tree("containers: [{name: a}]");
    tree.putObject("status").put("phase", phase);

    assertThat(WorkloadPod.of(tree).isFinished()).isEqualTo(isFinished);
    assertThat(TrackedPod.parse(tree).isFinished()).isEqualTo(isFinished);
    assertThat(ObjectUsage.of(ObjectUsage.PODS, tree).get("pods") == null).isEqualTo(isFinished);
  }

  @Test
  void platformAndRuntimeServiceAreTheSameInBothForms() throws Exception {
    ObjectNode tree =
        tree(
            "os: {name: windows}, osversion: 10.0.17763, architecture: amd64, runtimeClassName: c,"
                + " runtimeServiceName: two, containers: [{name: a}]");

    PodInfo scheduled = PodInfo.parse(tree);

    assertThat(PodPlatform.of(pod(tree))).isEqualTo(scheduled.needs().platform());
    assertThat(PodRequest.of(pod(tree)).serviceName()).isEqualTo(scheduled.needs().serviceName());
    assertThat(scheduled.needs().className()).isEqualTo("c");
  }

  @Test
  void aMirrorPodIsOneInBothForms() throws Exception {
    ObjectNode tree = tree("containers: [{name: a}]");
    tree.withObject("/metadata/annotations").put("kubernetes.io/config.mirror", "uid-2");

    assertThat(PodSource.isMirror(tree)).isTrue();
    assertThat(PodSource.isMirror(pod(tree))).isTrue();
    assertThat(EvictionCandidate.isCritical(pod(tree))).isTrue();
  }

  private static ObjectNode tree(String spec) throws Exception {
    return (ObjectNode)
        YAML.readTree(
            "{apiVersion: v1, kind: Pod, metadata: {namespace: default, name: web, uid: uid-1},"
                + " spec: {%s}}".formatted(spec));
  }

  private static Pod pod(JsonNode tree) throws Exception {
    return YAML.treeToValue(tree, Pod.class);
  }

  /// Zero is room that nobody knows, which is enough for all.
  private static Answer admission(Pod pod, long cpu, long memory) {
    return new PodAdmissionQueue(new ContainerCapacity(cpu, memory, 0))
        .ask(pod, new Neighbors(List.of()));
  }

  /// The UID of the pod that is evicted first: the pod, which uses so much memory, or one that uses
  /// a byte that it did not request.
  private static String evictedFirst(Pod pod, long memory) throws Exception {
    ObjectNode other = tree("containers: [{name: b}]");
    ((ObjectNode) other.path("metadata")).put("uid", "other");
    return EvictionPlan.order(
            List.of(
                new EvictionCandidate(pod, usage(memory)),
                new EvictionCandidate(pod(other), usage(1))),
            EvictionSignal.MEMORY,
            false)
        .getFirst()
        .pod()
        .getMetadata()
        .getUid();
  }

  private static PodUsage usage(long memory) {
    return new PodUsage(memory, 0, Map.of(), DiskUsage.NONE);
  }

  private record Neighbors(List<Pod> present) implements AdmittedPods {
    @Override
    public boolean hasStopped(String uid) {
      return false;
    }

    @Override
    public void preempt(String uid, PodFailure why, String shortOf) {
      throw new AssertionError("nothing is preempted");
    }
  }
}

package dev.berth.agent.pods.config;

import static dev.berth.agent.pods.config.TestConfigs.LINUX;
import static dev.berth.agent.pods.config.TestConfigs.NODE;
import static dev.berth.agent.pods.config.TestConfigs.container;
import static dev.berth.agent.pods.config.TestConfigs.pod;
import static dev.berth.agent.pods.config.TestConfigs.sandbox;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.cgroups.CgroupLimits;
import dev.berth.agent.pods.config.linux.LinuxPlatform;
import dev.berth.agent.pods.config.linux.LinuxResources;
import dev.berth.api.pods.PodResources;
import dev.berth.api.pods.PodView;
import dev.berth.api.pods.QosClass;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.HugepageLimit;
import dev.berth.cri.v1.LinuxContainerResources;
import dev.berth.cri.v1.NamespaceMode;
import dev.berth.cri.v1.PodSandboxConfig;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Specifications of pods and the configurations that follow from them.
final class ConfigTest {

  @Test
  void aSandboxIsRecognizedAgainAndHasItsOverhead() {
    PodSandboxConfig config =
        sandbox(
            """
            overhead: {cpu: 200m, memory: 140Mi}
            containers:
            - name: a
              ports: [{containerPort: 80, hostPort: 8080, protocol: UDP}]
              resources:
                requests: {cpu: 100m, memory: 100Mi}
                limits: {cpu: 100m, memory: 100Mi}
            """);

    assertThat(config.getLabelsMap())
        .containsEntry("io.kubernetes.pod.uid", "uid-1")
        .containsEntry("berth.dev/node", "node-1")
        .containsEntry("berth.dev/cluster", "cluster-1");
    assertThat(config.getLogDirectory()).isEqualTo("/logs/default_web_uid-1");
    assertThat(config.getHostname()).isEqualTo("web");
    assertThat(config.getLinux().getCgroupParent()).isEqualTo("/kubepods/poduid-1");
    assertThat(config.getLinux().getOverhead()).isEqualTo(resources(204, 20_000, 140L << 20));
    assertThat(config.getLinux().getResources()).isEqualTo(resources(102, 10_000, 100L << 20));
    assertThat(config.getPortMappings(0).getHostPort()).isEqualTo(8080);
    assertThat(config.getDnsConfig().getSearchesList())
        .containsExactly("default.svc.cluster.local", "svc.cluster.local", "cluster.local");
    assertThat(config.getDnsConfig().getOptionsList()).containsExactly("ndots:5");
  }

  @Test
  void resourcesOfThePodAsAWholeLimitItsControlGroup() {
    Pod pod =
        pod(
            """
            overhead: {cpu: 100m, memory: 10Mi}
            resources: {limits: {cpu: '1', memory: 100Mi}, requests: {cpu: 500m, memory: 100Mi}}
            containers: [{name: a, resources: {requests: {memory: 20Mi}}}, {name: b}]
            """);

    assertThat(LinuxResources.ofPod(pod)).isEqualTo(new CgroupLimits(614, 110_000, 110L << 20));
    assertThat(QosClass.of(pod)).isEqualTo(QosClass.BURSTABLE);
    assertThat(PodResources.requestsWithOverhead(PodView.of(pod)).orZero("cpu").milli())
        .isEqualTo(600);
    assertThat(PodResources.requestsWithOverhead(PodView.of(pod)).orZero("memory").value())
        .isEqualTo(110L << 20);
    // The pod's 80Mi beyond its containers are shared: 60Mi of 8Gi.
    assertThat(LinuxResources.of(pod, pod.getSpec().getContainers().getFirst(), NODE))
        .extracting(LinuxContainerResources::getOomScoreAdj)
        .isEqualTo(993L);
  }

  @Test
  void theQualityOfServiceThatTheApiServerRecordedStays() {
    Pod pod = pod("containers: [{name: a, resources: {requests: {cpu: '1'}}}]");
    pod.setStatus(new PodStatusBuilder().withQosClass("BestEffort").build());

    assertThat(QosClass.of(pod)).isEqualTo(QosClass.BEST_EFFORT);
  }

  @Test
  void thePodsControlGroupHasTheLimitsOfAllContainersAndTheOverhead() {
    String guaranteed =
        """
        overhead: {cpu: 200m, memory: 140Mi}
        containers:
        - {name: a, resources: {limits: {cpu: 100m, memory: 100Mi}, requests: {cpu: 100m, memory: 100Mi}}}
        """;
    String halfLimited =
        """
        overhead: {cpu: 250m, memory: 1Mi}
        containers:
        - {name: a, resources: {limits: {cpu: 500m, memory: 1Mi}, requests: {cpu: 250m, memory: 1Mi}}}
        - {name: b, resources: {limits: {memory: 2Mi}}}
        """;

    assertThat(LinuxResources.ofPod(pod(guaranteed)))
        .isEqualTo(new CgroupLimits(307, 30_000, 251_658_240));
    assertThat(LinuxResources.ofPod(pod(halfLimited)))
        .isEqualTo(new CgroupLimits(512, CgroupLimits.NO_LIMIT, 4L << 20));
    assertThat(LinuxResources.ofPod(pod("{overhead: {cpu: 1}, containers: [{name: a}]}")))
        .isEqualTo(CgroupLimits.LEAST);
  }

  @ParameterizedTest
  @CsvSource({
    "logs/$(P), logs/x",
    "logs/$$(P), logs/$(P)",
    "$(S)/$$$(P), $(P)/$x",
  })
  void partsOfVolumesAreNamedByTheEnvironment(String expression, String path) {
    assertThat(subPath(expression)).isEqualTo(path);
  }

  @ParameterizedTest
  @CsvSource({"logs/$(Q), Q", "$(EMPTY)/$(Q), 'EMPTY, Q'"})
  void aPartOfAVolumeIsNotNamedByWhatIsMissing(String expression, String missing) {
    assertThatThrownBy(() -> subPath(expression))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "missing value for %s in subPathExpr \"%s\" of volumeMount \"v\""
                .formatted(missing, expression));
  }

  private static String subPath(String expression) {
    Pod pod =
        pod(
            "{containers: [{name: a, env: [{name: P, value: x}, {name: S, value: $$(P)}, {name: EMPTY}], volumeMounts: [{name: v, mountPath: /v, subPathExpr: '%s'}]}]}"
                .formatted(expression));
    return new ContainerConfigs(NODE, LINUX, new TestConfigs.FixedReferences())
        .withSubPaths(pod, pod.getSpec().getContainers().getFirst(), List.of())
        .getVolumeMounts()
        .getFirst()
        .getSubPath();
  }

  @Test
  void hugePagesAreLimitedByTheirSize() {
    assertThat(
            container("{containers: [{name: a, resources: {limits: {hugepages-2Mi: 4Mi}}}]}")
                .getLinux()
                .getResources()
                .getHugepageLimitsList())
        .containsExactly(HugepageLimit.newBuilder().setPageSize("2MB").setLimit(4 << 20).build());
  }

  @Test
  void aContainerRunsOutOfMemoryAsAWholeWhereTheMachineCanDoThat() {
    var platform = new LinuxPlatform(NODE.with(new CgroupSettings("/kubepods", false, true)));
    String spec = "{containers: [{name: a}]}";

    assertThat(container(spec, platform).getLinux().getResources().getUnifiedMap())
        .containsExactly(Map.entry("memory.oom.group", "1"));
    assertThat(container(spec).getLinux().getResources().getUnifiedMap()).isEmpty();
  }

  @Test
  void slicesOfSystemdAreNamedByTheirLevels() {
    assertThat(
            new CgroupSettings("/berth/kubepods", true, false).of(pod("{containers: [{name: a}]}")))
        .isEqualTo("berth-kubepods-besteffort-poduid_1.slice");
  }

  @Test
  void namespacesOfTheHostAreUsedWherePodsAskForThem() {
    var options =
        sandbox("{hostNetwork: true, hostPID: true, containers: [{name: a}]}")
            .getLinux()
            .getSecurityContext()
            .getNamespaceOptions();

    assertThat(options.getNetwork()).isEqualTo(NamespaceMode.NODE);
    assertThat(options.getPid()).isEqualTo(NamespaceMode.NODE);
    assertThat(options.getIpc()).isEqualTo(NamespaceMode.POD);
    assertThat(
            sandbox("{shareProcessNamespace: true, containers: [{name: a}]}")
                .getLinux()
                .getSecurityContext()
                .getNamespaceOptions()
                .getPid())
        .isEqualTo(NamespaceMode.POD);
  }

  @Test
  void theEnvironmentIsPutTogetherAndExpanded() {
    ContainerConfig config =
        container(
            """
            serviceAccountName: robot
            containers:
            - name: a
              image: i
              command: [sh, -c, "echo $(GREETING) $(NONE) $$(GREETING)"]
              resources: {limits: {memory: 64Mi}}
              envFrom:
              - {prefix: P_, configMapRef: {name: words}}
              env:
              - {name: WORD, valueFrom: {configMapKeyRef: {name: words, key: word}}}
              - {name: PASS, valueFrom: {secretKeyRef: {name: keys, key: pass}}}
              - {name: GREETING, value: "$(WORD) $(PASS)"}
              - {name: IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
              - {name: WHO, valueFrom: {fieldRef: {fieldPath: spec.serviceAccountName}}}
              - {name: APP, valueFrom: {fieldRef: {fieldPath: "metadata.labels['app']"}}}
              - {name: MEM, valueFrom: {resourceFieldRef: {resource: limits.memory, divisor: 1Mi}}}
              - {name: CPU, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}
              - {name: MAYBE, valueFrom: {secretKeyRef: {name: none, key: k, optional: true}}}
            """);

    Map<String, String> envs = new LinkedHashMap<>();
    config.getEnvsList().forEach(one -> envs.put(one.getKey(), one.getValue().toStringUtf8()));
    assertThat(envs)
        .containsEntry("P_word", "hello")
        .containsEntry("GREETING", "hello secret")
        .containsEntry("IP", "10.0.0.9")
        .containsEntry("WHO", "robot")
        .containsEntry("APP", "shop")
        .containsEntry("MEM", "64")
        .containsEntry("CPU", "4")
        .doesNotContainKey("MAYBE");
    assertThat(config.getCommand(2)).isEqualTo("echo hello secret $(NONE) $(GREETING)");
    assertThat(config.getLogPath()).isEqualTo("a/2.log");
  }

  @Test
  void whatIsMissingIsNamed() {
    assertThatThrownBy(
            () -> container("{containers: [{name: a, envFrom: [{secretRef: {name: none}}]}]}"))
        .isInstanceOf(ConfigException.class)
        .hasMessage("secret \"none\" not found");
    assertThatThrownBy(
            () ->
                container(
                    "{containers: [{name: a, env: [{name: A, valueFrom: {configMapKeyRef: {name: words, key: k}}}]}]}"))
        .hasMessage("couldn't find key k in ConfigMap default/words");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | BestEffort | 1000",
        "{requests: {cpu: 1, memory: 4Gi}} | Burstable | 500",
        "{requests: {cpu: 1}, limits: {cpu: 2}} | Burstable | 999",
        "{limits: {cpu: 1, memory: 1Gi}} | Guaranteed | -997",
      })
  void theQualityOfServiceFollowsFromTheResources(String resources, String qos, int oomScore) {
    String spec = "{containers: [{name: a, resources: %s}]}".formatted(resources);

    assertThat(QosClass.of(pod(spec))).hasToString(qos);
    assertThat(container(spec).getLinux().getResources().getOomScoreAdj()).isEqualTo(oomScore);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{initContainers: [{name: a, restartPolicy: Always}], containers: [{name: b, resources: {requests: {memory: 4Gi}}}, {name: c, resources: {requests: {memory: 2Gi}}}]} | 750",
        "{initContainers: [{name: a, restartPolicy: Always}], containers: [{name: b, resources: {requests: {memory: 4Gi}}}, {name: c}]} | 999",
        "{initContainers: [{name: a, restartPolicy: Always, resources: {requests: {memory: 4Gi}}}], containers: [{name: b}]} | 500",
        "{initContainers: [{name: a}], containers: [{name: b, resources: {requests: {memory: 4Gi}}}]} | 999",
        "{priorityClassName: system-node-critical, initContainers: [{name: a}], containers: [{name: b}]} | -997",
        "{priorityClassName: system-cluster-critical, initContainers: [{name: a}], containers: [{name: b}]} | 1000",
      })
  void sidecarsAreKilledNoSoonerThanTheOthersAndTheNodesOwnLast(String spec, int oomScore) {
    Pod pod = pod(spec);

    assertThat(
            LinuxResources.of(pod, pod.getSpec().getInitContainers().getFirst(), NODE)
                .getOomScoreAdj())
        .isEqualTo(oomScore);
  }

  @Test
  void resolversGetNoMoreThanTheyRead() {
    Pod pod =
        pod(
            """
            {dnsConfig: {nameservers: [192.0.2.1, 192.0.2.2, 192.0.2.3], searches: [own.test]},
             containers: [{name: a}]}""");

    assertThat(new SandboxConfigs(NODE, LINUX).of(pod, 0).getDnsConfig().getServersList())
        .containsExactly("10.96.0.10", "192.0.2.1", "192.0.2.2");
    assertThat(new SandboxConfigs(NODE, LINUX).dnsWarnings(pod))
        .containsExactly(
            "Nameserver limits were exceeded, some nameservers have been omitted, the applied"
                + " nameserver line is: 10.96.0.10 192.0.2.1 192.0.2.2");
  }

  @ParameterizedTest(name = "{0} searches of {1} characters: {2}")
  @CsvSource({"32, 63, 32", "33, 10, 32", "32, 64, 31", "10, 253, 8", "3, 254, 0"})
  void theLineOfSearchesHasItsLimits(int number, int length, int kept) {
    List<String> searches = Collections.nCopies(number, "s".repeat(length));

    assertThat(DnsLimits.searches(searches)).hasSize(kept);
    assertThat(DnsLimits.warnings(List.of(), searches)).hasSize(kept == number ? 0 : 1);
  }

  @Test
  void labelsAreQuotedAsGoDoes() {
    Pod pod = pod("{containers: [{name: a}]}");
    pod.getMetadata().setLabels(Map.of("a", "x", "b", "line\n\"q\" \\ \u0001 \u00e9 \u2028"));

    assertThat(new PodFields(NODE, List.of()).field(pod, "metadata.labels"))
        .isEqualTo("a=\"x\"\nb=\"line\\n\\\"q\\\" \\\\ \\x01 \u00e9 \\u2028\"");
  }

  @Test
  void aPodOfASubdomainHasItsFullName() {
    String spec =
        "{hostname: web-0, subdomain: %s, setHostnameAsFQDN: true, containers: [{name: a}]}";

    assertThat(sandbox(spec.formatted("db")).getHostname())
        .isEqualTo("web-0.db.default.svc.cluster.local");
    assertThat(HostsFile.of(pod(spec.formatted("db")), List.of("10.0.0.9"), "cluster.local"))
        .endsWith("10.0.0.9\tweb-0.db.default.svc.cluster.local\tweb-0\n");
    assertThatThrownBy(() -> sandbox(spec.formatted("d".repeat(40))))
        .isInstanceOf(ConfigException.class)
        .hasMessageEndingWith("is too long (64 is the max, 72 characters requested)");
  }

  @Test
  void hostsHaveThePodAndItsAliases() {
    Pod pod =
        pod(
            "{hostname: web-0, hostAliases: [{ip: 10.1.1.1, hostnames: [db, cache]}], containers: [{name: a}]}");

    assertThat(HostsFile.of(pod, List.of("10.0.0.9"), "cluster.local"))
        .contains("10.0.0.9\tweb-0\n")
        .endsWith("# Entries added by HostAliases.\n10.1.1.1\tdb\tcache\n");
  }

  private static LinuxContainerResources resources(long shares, long quota, long memory) {
    return LinuxContainerResources.newBuilder()
        .setCpuShares(shares)
        .setCpuPeriod(100_000)
        .setCpuQuota(quota)
        .setMemoryLimitInBytes(memory)
        .build();
  }
}

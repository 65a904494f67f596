package dev.berth.agent.pods.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.agent.cgroups.CgroupLimits;
import dev.berth.agent.images.ImageFacts;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.HugepageLimit;
import dev.berth.cri.v1.LinuxContainerResources;
import dev.berth.cri.v1.LinuxContainerSecurityContext;
import dev.berth.cri.v1.NamespaceMode;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.SecurityProfile;
import dev.berth.cri.v1.SupplementalGroupsPolicy;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Specifications of pods and the configurations that follow from them.
final class ConfigTest {
  private static final YAMLMapper YAML =
      YAMLMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
  private static final NodeSettings NODE =
      new NodeSettings(
          "node-1",
          List.of("192.0.2.7"),
          Path.of("/logs"),
          Path.of("/pods"),
          new DnsSettings(List.of("10.96.0.10"), "cluster.local", Path.of("/nowhere")),
          new CgroupSettings("/kubepods", false),
          new NodeCapacity(4000, 8L << 30, 0),
          new NodeCapacity(4000, 8L << 30, 0));
  private static final LinuxPlatform LINUX = new LinuxPlatform(NODE);

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
        .containsEntry("berth.dev/node", "node-1");
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

    assertThat(CgroupSettings.limits(pod(guaranteed)))
        .isEqualTo(new CgroupLimits(307, 30_000, 251_658_240));
    assertThat(CgroupSettings.limits(pod(halfLimited)))
        .isEqualTo(new CgroupLimits(512, CgroupLimits.NO_LIMIT, 4L << 20));
    assertThat(CgroupSettings.limits(pod("{overhead: {cpu: 1}, containers: [{name: a}]}")))
        .isEqualTo(CgroupLimits.LEAST);
  }

  @Test
  void partsOfVolumesAreNamedByTheEnvironment() {
    String spec =
        "{containers: [{name: a, env: [{name: P, value: x}], volumeMounts: [{name: v, mountPath: /v, subPathExpr: 'logs/$(%s)'}]}]}";
    ContainerConfigs configs = new ContainerConfigs(NODE, LINUX, new FixedReferences());
    Pod pod = pod(spec.formatted("P"));

    assertThat(
            configs
                .withSubPaths(pod, pod.getSpec().getContainers().getFirst(), List.of())
                .getVolumeMounts()
                .getFirst()
                .getSubPath())
        .isEqualTo("logs/x");
    Pod missing = pod(spec.formatted("Q"));
    assertThatThrownBy(
            () ->
                configs.withSubPaths(
                    missing, missing.getSpec().getContainers().getFirst(), List.of()))
        .hasMessageContaining("names a variable that is not set: logs/$(Q)");
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
  void slicesOfSystemdAreNamedByTheirLevels() {
    assertThat(new CgroupSettings("/berth/kubepods", true).of(pod("{containers: [{name: a}]}")))
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

  @Test
  void aContainerMayLessThanItsPod() {
    var security =
        container(
                """
                securityContext: {runAsUser: 1000, supplementalGroups: [5], fsGroup: 7}
                containers:
                - name: a
                  securityContext:
                    runAsUser: 2000
                    runAsGroup: 3000
                    readOnlyRootFilesystem: true
                    allowPrivilegeEscalation: false
                    seccompProfile: {type: RuntimeDefault}
                    capabilities: {add: [NET_ADMIN], drop: [ALL]}
                """)
            .getLinux()
            .getSecurityContext();

    assertThat(security.getRunAsUser().getValue()).isEqualTo(2000);
    assertThat(security.getRunAsGroup().getValue()).isEqualTo(3000);
    assertThat(security.getSupplementalGroupsList()).containsExactly(5L, 7L);
    assertThat(security.getReadonlyRootfs()).isTrue();
    assertThat(security.getNoNewPrivs()).isTrue();
    assertThat(security.getCapabilities().getDropCapabilitiesList()).containsExactly("ALL");
    assertThat(security.getMaskedPathsList()).contains("/proc/kcore");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{runAsNonRoot: true, runAsUser: 0} | breaks non-root policy",
        "{runAsNonRoot: true} | image will run as root",
      })
  void nobodyIsRootWhoMustNot(String context, String message) {
    assertThatThrownBy(
            () -> container("{containers: [{name: a, securityContext: %s}]}".formatted(context)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
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

  @Test
  void profilesOfAppArmorReachTheRuntime() {
    String spec =
        "{securityContext: {appArmorProfile: {type: RuntimeDefault}}, containers: [{name: a%s}]}";
    String own = ", securityContext: {appArmorProfile: {type: Localhost, localhostProfile: mine}}";

    assertThat(security(spec.formatted("")).getApparmor().getProfileType())
        .isEqualTo(SecurityProfile.ProfileType.RuntimeDefault);
    var local = security(spec.formatted(own));
    assertThat(local.getApparmor().getProfileType())
        .isEqualTo(SecurityProfile.ProfileType.Localhost);
    assertThat(local.getApparmor().getLocalhostRef()).isEqualTo("mine");
    assertThat(security("{containers: [{name: a}]}").hasApparmor()).isFalse();
  }

  @Test
  void thePolicyOfGroupsReachesTheRuntime() {
    String spec = "{securityContext: {supplementalGroupsPolicy: Strict}, containers: [{name: a}]}";

    assertThat(security(spec).getSupplementalGroupsPolicy())
        .isEqualTo(SupplementalGroupsPolicy.Strict);
    assertThat(sandbox(spec).getLinux().getSecurityContext().getSupplementalGroupsPolicy())
        .isEqualTo(SupplementalGroupsPolicy.Strict);
  }

  private static LinuxContainerSecurityContext security(String spec) {
    return container(spec).getLinux().getSecurityContext();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "net.ipv4.tcp_syncookies | | ",
        "net/ipv4/tcp_syncookies | | ",
        "kernel.msgmax | | ",
        "net.core.somaxconn | | forbidden sysctl: \"net.core.somaxconn\" not allowlisted",
        "net.ipv4.tcp_syncookies | hostNetwork: true, | forbidden sysctl: \"net.ipv4.tcp_syncookies\" not allowed with host net enabled",
        "kernel.msgmax | hostIPC: true, | forbidden sysctl: \"kernel.msgmax\" not allowed with host ipc enabled",
      })
  void settingsOfTheKernelAreOnlyThoseOfThePodAlone(
      String name, @Nullable String more, @Nullable String refusal) {
    Pod pod =
        pod(
            "{%s securityContext: {sysctls: [{name: %s, value: '1'}]}, containers: [{name: a}]}"
                .formatted(more == null ? "" : more, name));

    assertThat(new LinuxPlatform(NODE, new Sysctls(List.of("kernel.msg*"))).forbiddenSysctl(pod))
        .isEqualTo(Optional.ofNullable(refusal));
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

  private static PodSandboxConfig sandbox(String spec) {
    return new SandboxConfigs(NODE, LINUX).of(pod(spec), 0);
  }

  private static ContainerConfig container(String spec) {
    Pod pod = pod(spec);
    return new ContainerConfigs(NODE, LINUX, new FixedReferences())
        .of(
            pod,
            new ContainerPlace(
                pod.getSpec().getContainers().getFirst(), null, ImageFacts.of("sha256:1"), "runc"),
            2,
            List.of("10.0.0.9"),
            List.of());
  }

  private static Pod pod(String spec) {
    try {
      return new PodBuilder()
          .withNewMetadata()
          .withName("web")
          .withNamespace("default")
          .withUid("uid-1")
          .addToLabels("app", "shop")
          .endMetadata()
          .withSpec(YAML.readValue(spec, PodSpec.class))
          .build();
    } catch (IOException e) {
      throw new IllegalArgumentException(spec, e);
    }
  }

  private static final class FixedReferences implements References {
    @Override
    public Optional<ConfigMap> configMap(String namespace, String name) {
      return name.equals("words")
          ? Optional.of(new ConfigMapBuilder().addToData("word", "hello").build())
          : Optional.empty();
    }

    @Override
    public Optional<Secret> secret(String namespace, String name) {
      return name.equals("keys")
          ? Optional.of(new SecretBuilder().addToData("pass", "c2VjcmV0").build())
          : Optional.empty();
    }

    @Override
    public Optional<List<Service>> services() {
      return Optional.of(List.of());
    }
  }
}

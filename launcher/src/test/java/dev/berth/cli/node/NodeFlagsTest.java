package dev.berth.cli.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.images.CollectionRules;
import dev.berth.agent.images.access.VerificationPolicy;
import dev.berth.agent.images.access.VerificationRules;
import dev.berth.agent.node.NodeOptions.Taint;
import dev.berth.agent.node.ReadinessPolicy;
import dev.berth.agent.pods.HousekeepingSettings;
import dev.berth.agent.pods.PodSettings;
import dev.berth.agent.pods.act.StartLimits;
import dev.berth.agent.pods.admission.AdmissionRules;
import dev.berth.agent.pods.admission.UnresolvedPolicy;
import dev.berth.agent.pods.config.DnsSettings;
import dev.berth.agent.pods.config.linux.AllowedSysctls;
import dev.berth.agent.pods.config.windows.WindowsProcessors;
import dev.berth.agent.pods.logs.LogRules;
import dev.berth.agent.pressure.EvictionSignal;
import dev.berth.agent.pressure.EvictionThreshold;
import dev.berth.agent.pressure.PressureRules;
import dev.berth.agent.pressure.ThresholdValue;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.Quantity;
import dev.berth.launch.agent.AgentConfig;
import dev.berth.launch.agent.WindowsSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

final class NodeFlagsTest {
  @TempDir private Path directory;
  private final List<String> mistakes = new ArrayList<>();

  @Test
  void withoutFlagsTheNodeIsPlain() {
    AgentConfig config = read();

    assertThat(mistakes).isEmpty();
    assertThat(config.traits()).isEqualTo(AgentConfig.Traits.PLAIN);
    assertThat(config.nodeName()).isEmpty();
    assertThat(config.runtimes()).isEmpty();
  }

  @Test
  void flagsOfTheKubeletAreRead() {
    AgentConfig config =
        read(
            "--hostname-override=node-1",
            "--node-ip=192.0.2.1",
            "--container-runtime-endpoint=container:a:unix:///a.sock;vm:b:unix:///b.sock",
            "--node-labels=disk=ssd,zone=a",
            "--register-with-taints=gpu=yes:NoSchedule,old:NoExecute",
            "--max-pods=20",
            "--system-reserved=cpu=500m",
            "--kube-reserved=cpu=250m,memory=1Gi",
            "--readiness-policy=all",
            "--container-runtime=remote",
            "--pod-manifest-path=/manifests",
            "--cluster-dns=192.0.2.10,192.0.2.11",
            "--cluster-domain=cluster.test",
            "--resolv-conf=/run/resolv.conf",
            "--cgroups-per-qos=false",
            "--cgroup-root=/",
            "--cgroup-driver=systemd",
            "--single-process-oom-kill",
            "--windows-processors=maximum",
            "--unresolved-runtime-policy=retry",
            "--allowed-unsafe-sysctls=kernel.msg*,net.core.somaxconn",
            "--pod-logs-dir=/var/log/pods",
            "--container-log-max-size=1Mi",
            "--container-log-max-files=3",
            "--image-gc-high-threshold=70",
            "--image-gc-low-threshold=60",
            "--minimum-image-ttl-duration=1m",
            "--serialize-image-pulls",
            "--eviction-hard=memory.available<200Mi,imagefs.available<0%",
            "--eviction-soft=nodefs.available<20%",
            "--eviction-soft-grace-period=nodefs.available=1m30s",
            "--eviction-minimum-reclaim=memory.available=1Mi",
            "--eviction-pressure-transition-period=60s",
            "--eviction-max-pod-grace-period=30",
            "--image-pull-credentials-verification-policy=NeverVerifyAllowlistedImages",
            "--preloaded-images-verification-allowlist=registry.example/team/*,registry.example/tool",
            "--os=windows:10.0.17763.805");

    assertThat(mistakes).isEmpty();
    assertThat(config.nodeName()).isEqualTo("node-1");
    assertThat(config.runtimes()).extracting(RuntimeDeclaration::name).containsExactly("a", "b");
    assertThat(config.traits())
        .isEqualTo(
            new AgentConfig.Traits(
                Map.of("disk", "ssd", "zone", "a"),
                List.of(new Taint("gpu", "yes", "NoSchedule"), new Taint("old", "", "NoExecute")),
                20,
                Map.of("cpu", quantity("750m"), "memory", quantity("1Gi")),
                ReadinessPolicy.ALL,
                new PodSettings(
                    new PodSettings.Groups(false, "/", true, true),
                    new DnsSettings(
                        List.of("192.0.2.10", "192.0.2.11"),
                        "cluster.test",
                        Path.of("/run/resolv.conf")),
                    Optional.of(Path.of("/manifests")),
                    AdmissionRules.STANDARD.with(UnresolvedPolicy.RETRY),
                    StartLimits.STANDARD,
                    new PressureRules(
                        List.of(
                            new EvictionThreshold(
                                EvictionSignal.MEMORY,
                                new ThresholdValue(200L << 20, 0),
                                Duration.ZERO,
                                new ThresholdValue(1L << 20, 0)),
                            new EvictionThreshold(
                                EvictionSignal.NODE_DISK,
                                new ThresholdValue(0, 0.2),
                                Duration.ofSeconds(90),
                                ThresholdValue.NOTHING)),
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(30)),
                    WindowsProcessors.MAXIMUM_ONLY,
                    new AllowedSysctls(List.of("kernel.msg*", "net.core.somaxconn")),
                    new HousekeepingSettings(
                        Optional.of(Path.of("/var/log/pods")),
                        new LogRules(1L << 20, 3, Duration.ofSeconds(10)),
                        new CollectionRules(70, 60, Duration.ofMinutes(1), Duration.ofMinutes(5)),
                        1,
                        new VerificationRules(
                            VerificationPolicy.NEVER_VERIFY_ALLOWLISTED,
                            List.of("registry.example/team/*", "registry.example/tool")))),
                new WindowsSystem("10.0.17763.805")));
  }

  @Test
  void everyMistakeIsTold() {
    read(
        "--node-name=Node_1",
        "--node-ip=here",
        "--node-labels=disk",
        "--register-with-taints=gpu=yes:Never",
        "--max-pods=many",
        "--system-reserved=cpu=lots",
        "--readiness-policy=some",
        "--cluster-dns=there",
        "--cgroups-per-qos=maybe",
        "--cgroup-root=here",
        "--cgroup-driver=none",
        "--single-process-oom-kill=rarely",
        "--windows-processors=two",
        "--unresolved-runtime-policy=ignore",
        "--container-runtime=docker",
        "--allowed-unsafe-sysctls=vm.swappiness",
        "--container-log-max-size=large",
        "--container-log-max-files=1",
        "--image-gc-high-threshold=70",
        "--minimum-image-ttl-duration=young",
        "--serialize-image-pulls",
        "--max-parallel-image-pulls=2",
        "--image-pull-credentials-verification-policy=never",
        "--preloaded-images-verification-allowlist=a,b",
        "--eviction-hard=memory<1Gi",
        "--eviction-soft=pid.available<100",
        "--eviction-pressure-transition-period=soon",
        "--os=windows:95",
        "--container-runtime-endpoint=pod:x:/x");

    assertThat(mistakes)
        .contains(
            "--node-ip=here: must be an IPv4 or IPv6 address",
            "--node-name=Node_1: must be lower-case letters, digits, `-` and `.`, such as node-1",
            "--unresolved-runtime-policy=ignore: must be one of fail-missing-class, fail, retry",
            "--container-runtime=docker: must be remote; name runtimes with"
                + " --container-runtime-endpoint, such as unix:///run/containerd/containerd.sock",
            "--os=windows:95: must be linux, windows or windows:VERSION, such as"
                + " windows:10.0.17763.805",
            "--readiness-policy=some: must be all or partial",
            "--node-labels=disk: must be KEY=VALUE, several separated by commas",
            "--register-with-taints=gpu=yes:Never: must be KEY=VALUE:EFFECT with NoSchedule,"
                + " PreferNoSchedule or NoExecute",
            "--eviction-hard=memory<1Gi: must be SIGNAL<VALUE with a signal of memory.available,"
                + " nodefs.available, nodefs.inodesFree, imagefs.available, imagefs.inodesFree,"
                + " pid.available and a value such as 100Mi or 5%",
            "--eviction-soft=pid.available: needs a period in --eviction-soft-grace-period, such as"
                + " pid.available=1m30s",
            "--eviction-pressure-transition-period=soon: must be a time such as 5m",
            "--max-pods=many: must be a number",
            "--cluster-dns=there: must be an IPv4 or IPv6 address",
            "--cgroups-per-qos=maybe: must be true or false",
            "--single-process-oom-kill=rarely: must be true or false",
            "--cgroup-root=here: must be a path such as /berth",
            "--cgroup-driver=none: must be cgroupfs or systemd",
            "--container-log-max-size=large: must be a size such as 10Mi",
            "--container-log-max-files=1: must be a number, 2 or more",
            "--image-gc-low-threshold=80: must be less than --image-gc-high-threshold (70)",
            "--minimum-image-ttl-duration=young: must be a time such as 2m",
            "--max-parallel-image-pulls=2: must be 1 with --serialize-image-pulls=true",
            "--image-pull-credentials-verification-policy=never: must be NeverVerify,"
                + " NeverVerifyPreloadedImages, NeverVerifyAllowlistedImages, AlwaysVerify",
            "--preloaded-images-verification-allowlist=a,b: has no effect without"
                + " --image-pull-credentials-verification-policy=NeverVerifyAllowlistedImages",
            "--windows-processors=two: must be all or maximum",
            "--allowed-unsafe-sysctls=vm.swappiness: must be one that pods have for themselves:"
                + " net.*, kernel.shm*, kernel.msg*, kernel.sem or fs.mqueue.*",
            "--system-reserved=cpu=lots: must be a quantity such as 500m or 1Gi")
        .hasSize(28);
  }

  @Test
  void labelsAndTaintsThatNoNodeMayHaveAreToldBeforeItJoins() {
    read(
        "--node-labels=bad key=1,a/b/c=1,zone=a b,kubernetes.io/os2=x,node.kubernetes.io/pool=p,empty=",
        "--register-with-taints=gpu!=yes:NoSchedule");

    String key =
        "the key must be up to 63 letters, digits, `-`, `_` and `.`, perhaps after a domain and"
            + " `/`, such as example.com/disk";
    assertThat(mistakes)
        .containsExactlyInAnyOrder(
            "--node-labels=bad key=1: " + key,
            "--node-labels=a/b/c=1: " + key,
            "--node-labels=zone=a b: the value must be up to 63 letters, digits, `-`, `_` and `.`,"
                + " or nothing",
            "--node-labels=kubernetes.io/os2=x: must not be a label of kubernetes.io or k8s.io,"
                + " except of node.kubernetes.io, kubelet.kubernetes.io and those that describe a"
                + " machine, such as topology.kubernetes.io/zone",
            "--register-with-taints=gpu!=yes:NoSchedule: " + key);
  }

  @Test
  void onlyWhatCanBeReservedIsReserved() {
    read("--system-reserved=cpu=-1,pid=100", "--kube-reserved=ephemeral-storage=1Gi");

    assertThat(mistakes)
        .containsExactly(
            "--system-reserved=cpu=-1: must be a quantity such as 500m or 1Gi",
            "--system-reserved=pid=100: must be of cpu, memory, ephemeral-storage");
  }

  @Test
  void endpointsThatAreGivenAndEmptyAreAMistake() {
    read("--container-runtime-endpoint=");
    assertThat(mistakes).hasSize(1).allMatch(mistake -> mistake.contains("no runtime service"));

    mistakes.clear();
    read("--image-service-endpoint=unix:///images.sock");
    assertThat(mistakes).isNotEmpty().anyMatch(m -> m.contains("no runtime service"));
  }

  @Test
  void servicesMayBeInAFile() throws IOException {
    Path file = directory.resolve("agent.yaml");
    Files.writeString(
        file,
        "runtimeServices:\n- {name: qemu, workloadType: vm, endpoint: \"unix:///vm.sock\"}\n");

    assertThat(read("--config=" + file).runtimes())
        .extracting(RuntimeDeclaration::name)
        .containsExactly("qemu");
    read("--config=" + directory.resolve("none"));
    assertThat(mistakes).hasSize(1).allMatch(mistake -> mistake.contains("cannot be read"));
  }

  @Test
  void aConfigurationOfTheKubeletStandsForFlagsWhichCountMore() throws IOException {
    Path file = directory.resolve("kubelet.yaml");
    Files.writeString(
        file,
        """
        apiVersion: kubelet.config.k8s.io/v1beta1
        kind: KubeletConfiguration
        maxPods: 30
        clusterDNS: [192.0.2.10]
        clusterDomain: cluster.test
        staticPodPath: /manifests
        cgroupsPerQOS: false
        singleProcessOOMKill: true
        systemReserved: {cpu: 500m, memory: 1Gi}
        evictionHard: {pid.available: "100"}
        evictionSoft: {memory.available: 10%}
        evictionSoftGracePeriod: {memory.available: 1m}
        evictionMinimumReclaim: {pid.available: "5"}
        evictionPressureTransitionPeriod: 30s
        evictionMaxPodGracePeriod: 7
        registerWithTaints: [{key: gpu, value: "yes", effect: NoSchedule}, {key: old, effect: NoExecute}]
        containerRuntimeEndpoint: unix:///run/a.sock
        """);

    AgentConfig config = read("--config=" + file, "--max-pods=40");

    assertThat(mistakes).isEmpty();
    assertThat(config.runtimes()).hasSize(1);
    assertThat(config.traits().maxPods()).isEqualTo(40);
    assertThat(config.traits().pods().pressure())
        .isEqualTo(
            new PressureRules(
                List.of(
                    new EvictionThreshold(
                        EvictionSignal.PIDS,
                        new ThresholdValue(100, 0),
                        Duration.ZERO,
                        new ThresholdValue(5, 0)),
                    new EvictionThreshold(
                        EvictionSignal.MEMORY,
                        new ThresholdValue(0, 0.1),
                        Duration.ofMinutes(1),
                        ThresholdValue.NOTHING)),
                Duration.ofSeconds(30),
                Duration.ofSeconds(7)));
    assertThat(config.traits().taints())
        .containsExactly(new Taint("gpu", "yes", "NoSchedule"), new Taint("old", "", "NoExecute"));
    assertThat(config.traits().reserved()).containsEntry("memory", quantity("1Gi"));
    assertThat(config.traits().pods().groups().wanted()).isFalse();
    assertThat(config.traits().pods().groups().singleKills()).isTrue();
    assertThat(config.traits().pods().dns().servers()).containsExactly("192.0.2.10");
    assertThat(config.traits().pods().manifests()).contains(Path.of("/manifests"));
  }

  @Test
  void aFieldThatIsNotKnownIsNamedWithTheNearestOne() throws IOException {
    Path file = directory.resolve("kubelet.yaml");
    Files.writeString(
        file,
        "{kind: Pod, maxPod: 3, clusterDNS: no, hairpinMode: none, rotateCertificates: true}");

    read("--config=" + file);

    assertThat(mistakes)
        .satisfiesExactly(
            first -> assertThat(first).endsWith("`kind` must be KubeletConfiguration, not Pod"),
            second ->
                assertThat(second).endsWith("unknown field `maxPod`; did you mean `maxPods`?"),
            third -> assertThat(third).endsWith("`clusterDNS` must be a list of addresses"),
            fourth ->
                assertThat(fourth)
                    .contains(
                        "field `hairpinMode` is unknown or has no effect here; the fields are: ")
                    .contains("clusterDNS, clusterDomain")
                    .doesNotContain("tlsCertFile"),
            fifth ->
                assertThat(fifth)
                    .endsWith(
                        "field `rotateCertificates` stands for --rotate-certificates of `berth agent`;"
                            + " this command has none, remove the field"));
  }

  private static Quantity quantity(String text) {
    return Quantity.parse(text).orElseThrow();
  }

  private AgentConfig read(String... args) {
    Holder holder = new Holder();
    new CommandLine(holder).parseArgs(args);
    return holder.flags.read(directory, null, 0, holder.flags.file(mistakes), mistakes);
  }

  @Command
  private static final class Holder {
    @Mixin private NodeFlags flags;
  }
}

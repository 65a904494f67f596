package dev.berth.sim.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cri.CriEndpoint;
import dev.berth.sim.SimConfig;
import dev.berth.sim.profile.ContractCompatibility;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ConfigReaderTest {
  private final ConfigErrors mistakes = new ConfigErrors();

  @Test
  void anAliasIsAMistake() {
    assertThat(ConfigYaml.read("name: &n one\nendpoint: *n\n", mistakes).isMissingNode()).isTrue();

    assertThat(mistakes.list().toString()).contains("\"*n\" is an alias");
  }

  @Test
  void aWholeServiceIsRead() {
    SimConfig config =
        read("""
                name: win1
                endpoint: unix:///run/sim/win1.sock
                adminEndpoint: unix:///run/sim/win1-admin.sock
                profile: windows/amd64
                osVersion: 10.0.18362.1
                cpus: 4
                podCIDRs: [10.9.0.0/16]
                handlers:
                - name: default
                  type: io.containerd.runhcs.v1
                - name: containerd-hyperv-17763
                  type: io.containerd.runhcs.v1
                  options: {SandboxPlatform: windows/amd64, SandboxOsVersion: 10.0.17763, SandboxIsolation: 1}
                images:
                - reference: example.com/web:1
                  pullTime: 5s
                  platforms:
                  - {platform: linux/amd64, size: 20Mi, layers: 3}
                  - {platform: windows/amd64, osVersion: 10.0.17763.805, size: 120Mi}
                pulls: {bytesPerSecond: 10Mi, latency: 100ms}
                faults:
                - {call: RunPodSandbox, handler: containerd-*, code: unavailable, message: later, after: 2, count: 3}
                exits:
                - {container: flaky, after: 30s, code: 1, probability: 0.5}
                events: false
                """)
            .getFirst();

    assertThat(mistakes.list()).isEmpty();
    assertThat(config.endpoint()).hasToString("unix:///run/sim/win1.sock");
    assertThat(config.admin()).hasToString("Optional[/run/sim/win1-admin.sock]");
    assertThat(config.profile().platform()).hasToString("windows/amd64 10.0.18362.1");
    assertThat(config.profile().defaultHandler().name()).isEqualTo("default");
    assertThat(config.profile().handler("containerd-hyperv-17763").orElseThrow().isHypervisor())
        .isTrue();
    assertThat(config.catalog().anyImage()).isFalse();
    assertThat(config.catalog().images().getFirst().variants()).hasSize(2);
    assertThat(config.knobs().pulls().bytesPerSecond()).isEqualTo(10L << 20);
    assertThat(config.knobs().faults().getFirst().failure().orElseThrow().text())
        .isEqualTo("later");
    assertThat(config.knobs().faults().getFirst().frequency().count()).isEqualTo(3);
    assertThat(config.knobs().exits().getFirst().exit().after()).isEqualTo(Duration.ofSeconds(30));
    assertThat(config.knobs().events()).isFalse();
  }

  @Test
  void littleIsNeeded() {
    SimConfig config = read("{endpoint: /run/sim.sock, compatibility: containerd-1.6}").getFirst();

    assertThat(mistakes.list()).isEmpty();
    assertThat(config.profile().name()).isEqualTo("linux/amd64");
    assertThat(config.profile().compatibility()).isEqualTo(ContractCompatibility.CONTAINERD_1_6);
    assertThat(config.profile().runtimeName()).isEqualTo("containerd");
    assertThat(config.catalog().anyImage()).isTrue();
  }

  @Test
  void aServiceMayTakeAnyFreePort() {
    assertThat(read("endpoint: tcp://127.0.0.1:0").getFirst().endpoint())
        .isEqualTo(new CriEndpoint.Loopback("127.0.0.1", 0));
    assertThat(mistakes.list()).isEmpty();

    read("endpoint: tcp://10.0.0.1:0");
    assertThat(mistakes.list()).hasSize(1);
  }

  @Test
  void aTemplateMakesManyServices() {
    List<SimConfig> configs =
        read(
            """
            services:
            - {name: "edge-{n}", endpoint: "unix:///run/sim/{n}.sock", replicas: 3}
            - {name: vm, endpoint: unix:///run/sim/vm.sock, profile: vm}
            """);

    assertThat(mistakes.list()).isEmpty();
    assertThat(configs)
        .extracting(config -> config.name() + " " + config.endpoint())
        .containsExactly(
            "edge-0 unix:///run/sim/0.sock",
            "edge-1 unix:///run/sim/1.sock",
            "edge-2 unix:///run/sim/2.sock",
            "vm unix:///run/sim/vm.sock");
  }

  @Test
  void everyMistakeIsNamedWithItsPlace() {
    read(
        """
        nam: x
        profile: solaris
        osVersion: ten
        adminEndpoint: tcp://127.0.0.1:80
        podCIDRs: [10.0.0.0]
        cpus: 0
        handlers: [{name: a, default: true}, {name: a, default: true}]
        images:
        - {reference: UPPER/x}
        - {size: big}
        registries: [{host: a/b}, {endpoint: http://10.0.0.1}]
        pulls: {latency: soon}
        faults: [{call: Version}, {code: nope, after: -1, probability: 2}]
        exits: [{code: x, when: now}]
        events: maybe
        """);

    assertThat(mistakes.list())
        .containsExactlyInAnyOrder(
            "profile: \"solaris\" is not one of linux/amd64, linux/arm64, windows/amd64, vm",
            "osVersion: \"ten\" is not a version of Windows such as 10.0.20348.2340",
            "osVersion: is for profile windows/amd64",
            "handlers: 2 handlers are the default; exactly one can be",
            "handlers[1].name: \"a\" exists twice",
            "cpus: \"0\" is not a whole number from 1",
            "endpoint: is needed, such as unix:///run/berth/sim.sock",
            "images[0].reference: \"UPPER/x\" is not an image reference",
            "images[1].reference: is needed",
            "images[1].size: \"big\" is not a size such as 512Ki, 10Mi or 1G",
            "registries[0].host: \"a/b\" is not a host as image references name it, such as docker.io"
                + " or registry.example.com:5000",
            "registries[1].host: is needed",
            "registries[1].endpoint: \"http://10.0.0.1\" is not https://HOST[:PORT], or http:// on"
                + " this machine",
            "podCIDRs: \"10.0.0.0\" is not a range such as 10.88.0.0/16",
            "faults[0]: has no effect: set latency, jitter, code or hang",
            "faults[1].code: \"nope\" is not one of [OK, CANCELLED, UNKNOWN, INVALID_ARGUMENT,"
                + " DEADLINE_EXCEEDED, NOT_FOUND, ALREADY_EXISTS, PERMISSION_DENIED,"
                + " RESOURCE_EXHAUSTED, FAILED_PRECONDITION, ABORTED, OUT_OF_RANGE, UNIMPLEMENTED,"
                + " INTERNAL, UNAVAILABLE, DATA_LOSS, UNAUTHENTICATED]",
            "faults[1].after: \"-1\" is not a whole number from 0",
            "faults[1].probability: \"2\" is not a number from 0 to 1",
            "faults[1]: has no effect: set latency, jitter, code or hang",
            "exits[0].code: \"x\" is not a whole number from 0",
            "exits[0].when: is not known here; known fields: after, afterStarts, code, container,"
                + " count, image, namespace, pod, probability, reason",
            "pulls.latency: \"soon\" is not a duration such as 200ms, 5s or 1m30s",
            "events: \"maybe\" is not true or false",
            "adminEndpoint: must be a unix socket, such as unix:///run/berth/a.sock",
            "nam: is not known here; known fields: adminEndpoint, anyImage, compatibility, cpus,"
                + " endpoint, events, exits, faults, handlers, images, mountpoint, name, osVersion,"
                + " podCIDRs, profile, pulls, registries, replicas, runtimeName, runtimeVersion");
  }

  @Test
  void whatIsNoYamlIsTold() {
    read("name: [open");
    assertThat(mistakes.list().getFirst()).startsWith("line 1: ");
  }

  private List<SimConfig> read(String yaml) {
    return new ConfigReader(mistakes).read(ConfigYaml.read(yaml, mistakes));
  }
}

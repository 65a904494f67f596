package dev.berth.vm.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Networks with the real plugins. All addresses are of this machine.
final class PodNetworksIT {
  static final Path PLUGINS = Path.of("/usr/lib/cni");

  private static final String PAIRS = "\"type\": \"ptp\"";
  private static final String BRIDGE =
      "\"type\": \"bridge\", \"bridge\": \"berth-it0\", \"isGateway\": true, \"mtu\": 1400";

  private static final String FAILING =
      "#!/bin/sh\n[ $CNI_COMMAND = DEL ] || { echo '{\"code\": 7, \"msg\": \"not now\"}'; exit 1; }\n";

  @TempDir Path directory;
  private NetworkCommands commands;
  private PodNetworks networks;
  private NetworkTraces before;

  @BeforeEach
  void prepare() throws IOException {
    assumeTrue("root".equals(System.getProperty("user.name")), "namespaces need root");
    assumeTrue(
        Files.isExecutable(PLUGINS.resolve("ptp")), "containernetworking-plugins is missing");
    assumeTrue(Files.isExecutable(Path.of("/usr/sbin/tc")), "iproute2 is missing");
    commands = new NetworkCommands(directory);
    Files.createDirectory(directory.resolve("plugins"));
    networks = networks();
    configure(PAIRS, "");
    before = NetworkTraces.of(directory);
  }

  /// A new one is what a new process has.
  private PodNetworks networks() {
    return new CniPodNetworks(
        new PodNetworkConfig(
            directory.resolve("state"),
            directory.resolve("conf"),
            List.of(directory.resolve("plugins"), PLUGINS),
            PodNetworkConfig.USUAL_LIMIT));
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    if (before == null) {
      return;
    }
    networks.sandboxes().forEach(networks::remove);
    if (Files.exists(Path.of("/sys/class/net/berth-it0"))) {
      commands.run("ip", "link", "delete", "berth-it0");
    }
    awaitTracesOfBefore();
  }

  /// The kernel removes the devices of a namespace some time after the namespace lost its last
  /// file.
  private void awaitTracesOfBefore() throws IOException {
    long limit = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    NetworkTraces now = NetworkTraces.of(directory);
    while (!now.equals(before) && System.nanoTime() < limit) {
      LockSupport.parkNanos(10_000_000);
      now = NetworkTraces.of(directory);
    }
    assertThat(now).isEqualTo(before);
  }

  /// @param more plugins after the first, each with a comma before it
  private void configure(String type, String more) throws IOException {
    Files.createDirectories(directory.resolve("conf"));
    Files.writeString(
        directory.resolve("conf/10-pods.conflist"),
        """
        {"cniVersion": "1.0.0", "name": "pods", "plugins": [{
          %s, "ipam": {"type": "host-local", "dataDir": "%s",
            "ranges": [[{"subnet": "10.126.253.0/24"}]], "routes": [{"dst": "0.0.0.0/0"}]}}%s]}
        """
            .formatted(type, directory.resolve("addresses"), more));
  }

  private void plugin(String name, String script) throws IOException {
    Path file = directory.resolve("plugins").resolve(name);
    Files.writeString(file, script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static PodIdentity pod(String sandboxId) {
    return new PodIdentity(sandboxId, "shop", "web", "u1", List.of());
  }

  private static String primary(PodAddresses addresses) {
    return addresses.addresses().getFirst().address();
  }

  @ParameterizedTest
  @ValueSource(strings = {PAIRS, BRIDGE})
  void hostContainersAndGuestsReachEachOther(String type) throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/qemu-system-x86_64")), "QEMU is missing");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/busybox")), "busybox is missing");
    configure(type, "");
    PodInterface firstPod = networks.create("first", 1);
    PodInterface secondPod = networks.create("second", 2);
    PodAddresses first = networks.connect(pod("first"));
    PodAddresses second = networks.connect(pod("second"));
    assertThat(networks().addresses("first")).contains(first);
    try (TapGuest firstGuest = new TapGuest(commands, "guest1", firstPod, first);
        TapGuest secondGuest = new TapGuest(commands, "guest2", secondPod, second);
        BareContainer container = new BareContainer(commands, directory, PLUGINS)) {
      TcpEcho echo = new TcpEcho(commands);
      String gateway = first.addresses().getFirst().gateway();
      assertThat(echo.fromHost(firstGuest.namespace(), primary(first))).isTrue();
      assertThat(echo.between(firstGuest.namespace(), secondGuest.namespace(), primary(second)))
          .isTrue();
      assertThat(echo.between(container.namespace(), firstGuest.namespace(), primary(first)))
          .isTrue();
      assertThat(echo.between(firstGuest.namespace(), container.namespace(), container.address()))
          .isTrue();
      assertThat(echo.toHost(firstGuest.namespace(), gateway)).isTrue();
      firstGuest.addAddress("10.126.253.250/24");
      assertThat(pings(firstGuest, primary(first), gateway)).isTrue();
      assertThat(pings(firstGuest, "10.126.253.250", gateway)).as("a forged address").isFalse();
    }
  }

  private boolean pings(TapGuest guest, String source, String target) throws IOException {
    return commands.succeedsInside(
        guest.namespace(), "busybox", "ping", "-c", "1", "-W", "1", "-I", source, target);
  }

  @Test
  void aFailedConnectionLeavesWhatCreateMade() throws IOException {
    plugin("failing", FAILING);
    configure(PAIRS, ", {\"type\": \"failing\"}");
    PodInterface pod = networks.create("retried", 70_001);
    NetworkTraces created = NetworkTraces.of(directory);
    assertThatThrownBy(() -> networks.connect(pod("retried")))
        .isInstanceOf(NetworkException.class)
        .hasMessageContaining("CNI plugin failing of network pods failed: not now");
    assertThat(NetworkTraces.of(directory)).isEqualTo(created);
    assertThat(networks.addresses("retried")).isEqualTo(Optional.empty());
    configure(PAIRS, "");
    assertThat(primary(networks.connect(pod("retried")))).startsWith("10.126.253.");
    assertThat(commands.inside(pod.namespace(), "ip", "-d", "link", "show", pod.tap()))
        .contains("user 70001");
  }

  @Test
  void aHostPortNeedsAPluginForIt() {
    networks.create("ports", 1);
    PodIdentity pod =
        new PodIdentity(
            "ports", "shop", "web", "u1", List.of(new PortMapping("tcp", 8080, 80, "")));
    assertThatThrownBy(() -> networks.connect(pod))
        .hasMessage(
            "pod shop/web cannot have host ports: no plugin of network pods offers the capability portMappings. Add the plugin portmap to the configuration in %s, or use a Service"
                .formatted(directory.resolve("conf")));
  }

  @Test
  void addressesAreFreeAfterARestartOfTheMachine() throws IOException {
    PodInterface pod = networks.create("restarted", 1);
    networks.connect(pod("restarted"));
    commands.run("umount", pod.namespace().toString());
    PodNetworks later = networks();
    assertThat(later.sandboxes()).containsExactly("restarted");
    later.remove("restarted");
    later.remove("restarted");
  }

  /// The named program kills the service when it starts. What it does afterwards goes on meanwhile,
  /// as programs do that nobody ended.
  @ParameterizedTest
  @ValueSource(strings = {"unshare", "ptp", "slow", "nsenter", "tc"})
  void aKilledServiceLeaksNothing(String step) throws IOException, InterruptedException {
    configure(PAIRS, step.equals("slow") ? ", {\"type\": \"slow\"}" : "");
    String kill = "#!/bin/sh\n[ \"$CNI_COMMAND\" = DEL ] || kill -9 $PPID\n";
    plugin(
        step,
        switch (step) {
          case "slow" -> kill + "[ \"$CNI_COMMAND\" = DEL ] || sleep 1000\n";
          case "ptp" -> kill + "exec %s/ptp\n".formatted(PLUGINS);
          case "tc" -> kill + "exec /usr/sbin/tc \"$@\"\n";
          default -> kill + "exec /usr/bin/%s \"$@\"\n".formatted(step);
        });
    assertThat(killed()).isEqualTo(137);
    assertThat(networks.sandboxes()).containsExactly("killed");
    networks.remove("killed");
    awaitTracesOfBefore();
  }

  private int killed() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
    command.addAll(
        List.of(System.getProperty("java.class.path"), ConnectingProcess.class.getName()));
    for (String name : List.of("state", "conf", "plugins")) {
      command.add(directory.resolve(name).toString());
    }
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    builder
        .environment()
        .merge("PATH", directory.resolve("plugins") + ":", (old, mine) -> mine + old);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }
}

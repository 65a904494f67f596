package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ClientConfig;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.cri.CriEndpoint;
import dev.berth.launch.backup.BackupDirectory;
import dev.berth.launch.join.JoinTokens;
import dev.berth.sim.SimConfig;
import dev.berth.sim.SimContext;
import dev.berth.sim.Simulator;
import dev.berth.sim.profile.SimProfile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two agents, or an agent and a kubelet, on one runtime: the second one is refused, and no pod is
/// touched.
final class SharedRuntimeIT {
  private static final long LIMIT_NANOS = 120_000_000_000L;

  @TempDir private Path temp;
  private final SimContext world = new SimContext(Clock.systemUTC(), new Random());
  private final List<Simulator> simulators = new ArrayList<>();

  @BeforeEach
  void startRuntimes() {
    for (String name : List.of("shared", "extra")) {
      simulators.add(
          Simulator.start(
              SimConfig.of(
                  name,
                  new CriEndpoint.UnixSocket(socket(name)),
                  SimProfile.named("linux/amd64").orElseThrow()),
              world));
    }
  }

  @AfterEach
  void stopRuntimes() throws Exception {
    for (String data : List.of("live", "copy", "data", "node")) {
      // Volumes in memory are mounts; nothing can remove the directory before they are gone.
      if (Files.exists(temp.resolve(data))) {
        StringWriter words = new StringWriter();
        int exitCode =
            Main.run(
                new PrintWriter(words),
                new PrintWriter(words),
                "down",
                "--grace-period=0",
                "--data-dir=" + temp.resolve(data));
        assertThat(exitCode).as(words.toString()).isZero();
      }
    }
    simulators.forEach(Simulator::close);
    world.close();
  }

  @Test
  void aCopyOfALiveDataDirectoryNeverClaimsItsPods() throws Exception {
    Path data = temp.resolve("live");
    register(data, "extra");
    Path copy = temp.resolve("copy");
    try (BerthProcess live = up(data)) {
      assertThat(live.awaitGreeting())
          .contains("with shared", "container:extra:unix://" + socket("extra"));
      runPod(data);
      new BackupDirectory(copy).fill(data);

      assertThat(refusal(up(copy)))
          .contains("it is a backup of " + data, "berth backup restore " + copy);
      simulate(copy);
      assertThat(sandboxes()).as("live sandboxes after a look into the copy").isEqualTo(1);

      Files.delete(copy.resolve("backup.json"));
      assertThat(refusal(up(copy)))
          .contains("process %d (berth up".formatted(live.pid()), "data directory " + data)
          .contains("manages the same node's pods");
      live.kill();
    }

    assertThat(refusal(up(copy))).contains("pods in it belong to data directory " + data);
    assertThat(sandboxes()).isEqualTo(1);
    try (BerthProcess again = up(data)) {
      again.awaitGreeting();
    }
  }

  /// The copy's own services and pods are there; what it registered is not attached.
  private void simulate(Path copy) throws Exception {
    try (BerthProcess look = BerthProcess.up(copy)) {
      assertThat(look.awaitGreeting()).contains("SIMULATED").doesNotContain("extra", "shared");
      try (ApiClient client = client(copy)) {
        await(
            () ->
                !client
                    .json(ResourceType.NODES)
                    .find(new ObjectKey("", "web-1"))
                    .map(node -> node.at("/status/runtimeHandlers").toString())
                    .orElse("")
                    .isEmpty());
      }
    }
  }

  @Test
  void aRuntimeThatAKubeletUsesIsRefused() throws Exception {
    Path data = temp.resolve("data");
    String flag = "--container-runtime-endpoint=unix://" + socket("shared");
    Process kubelet =
        new ProcessBuilder("bash", "-c", "exec -a kubelet bash -c 'read _' \"$0\"", flag).start();
    try {
      await(() -> commandLine(kubelet).startsWith("kubelet"));

      assertThat(refusal(up(data)))
          .contains("a kubelet uses it, process %d (kubelet".formatted(kubelet.pid()))
          .contains("--private-containerd", "--ignore-kubelet");

      try (BerthProcess berth = up(data, "--ignore-kubelet")) {
        assertThat(berth.awaitGreeting()).contains("with shared");
      }
    } finally {
      kubelet.destroyForcibly();
    }
  }

  @Test
  void anAgentNamesEveryServiceThatItAttached() throws Exception {
    Path data = temp.resolve("data");
    Path node = temp.resolve("node");
    register(node, "extra");
    try (BerthProcess server = BerthProcess.up(data)) {
      server.awaitGreeting();
      JoinTokens.Made token =
          JoinTokens.create(data.resolve("admin.kubeconfig"), Duration.ofHours(1));
      List<String> words =
          List.of(
              "agent",
              "--data-dir=" + node,
              "--server=" + token.server(),
              "--token=" + token.token(),
              "--node-name=web-2",
              "--node-ip=127.0.0.1",
              "--port=0",
              "--cgroups-per-qos=false",
              "--container-runtime-endpoint=container:shared:unix://" + socket("shared"));
      try (BerthProcess agent = BerthProcess.start(words)) {
        assertThat(agent.awaitLine("Node web-2"))
            .contains(" of " + token.server() + " runs with ")
            .contains(
                "container:shared:unix://%s, and with container:extra:unix://%s, registered in %s."
                    .formatted(
                        socket("shared"), socket("extra"), node.resolve("agent/runtimes.d")));
        agent.terminate();
      }
      assertThat(memoryMounts(node)).as("after the end of an agent without pods").isZero();
    }
  }

  @Test
  void memoryOfPodsIsGivenBackAlsoWhenTheRuntimeDoesNotAnswer() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "only root mounts");
    Path data = temp.resolve("data");
    try (BerthProcess live = up(data)) {
      live.awaitGreeting();
      runPod(data);
      live.kill();
    }
    assertThat(memoryMounts(data)).as("after a crash").isEqualTo(1);
    assertThat(data.resolve("agent/memory")).isNotEmptyDirectory();
    simulators.forEach(Simulator::close);
    try (BerthProcess again = up(data)) {
      again.awaitGreeting();
      assertThat(memoryMounts(data)).as("after the next start").isEqualTo(1);
      again.kill();
    }

    StringWriter words = new StringWriter();
    Main.run(
        new PrintWriter(words, true),
        new PrintWriter(words, true),
        "down",
        "--grace-period=0",
        "--data-dir=" + data);

    assertThat(words.toString())
        .contains("pods are not stopped, because the runtime does not answer");
    assertThat(memoryMounts(data)).as("after berth down").isZero();
  }

  private static long memoryMounts(Path data) throws IOException {
    String place = " " + data.resolve("agent/memory") + " ";
    return Files.readAllLines(Path.of("/proc/self/mounts")).stream()
        .filter(line -> line.contains(place))
        .count();
  }

  private static String commandLine(Process process) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
    } catch (IOException _) {
      return "";
    }
  }

  private BerthProcess up(Path data, String... more) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                "up",
                "--data-dir=" + data,
                "--secure-port=0",
                "--node-name=web-1",
                "--cgroups-per-qos=false",
                "--container-runtime-endpoint=container:shared:unix://" + socket("shared")));
    words.addAll(List.of(more));
    return BerthProcess.start(words);
  }

  private static String refusal(BerthProcess berth) throws Exception {
    try (berth) {
      assertThat(berth.exitCode()).isEqualTo(1);
      return berth.errors();
    }
  }

  private void register(Path data, String name) throws IOException {
    Path directory = Files.createDirectories(data.resolve("agent/runtimes.d"));
    Files.writeString(
        directory.resolve("10-" + name + ".yaml"),
        "{name: %s, workloadType: container, endpoint: 'unix://%s'}".formatted(name, socket(name)));
  }

  private void runPod(Path data) {
    ObjectNode pod = JsonNodeFactory.instance.objectNode();
    pod.put("apiVersion", "v1").put("kind", "Pod");
    pod.putObject("metadata").put("name", "a").put("namespace", "default");
    pod.putObject("spec")
        .put("nodeName", "web-1")
        .putArray("containers")
        .addObject()
        .put("name", "c")
        .put("image", "registry.k8s.io/pause:3.9");
    try (ApiClient client = client(data)) {
      await(() -> client.json(ResourceType.NODES).find(new ObjectKey("", "web-1")).isPresent());
      await(
          () ->
              client
                  .json(ResourceType.SERVICE_ACCOUNTS)
                  .find(new ObjectKey("default", "default"))
                  .isPresent());
      client.json(ResourceType.PODS).create(pod);
      await(() -> sandboxes() == 1);
    }
  }

  private static ApiClient client(Path data) {
    return ApiClient.open(ClientConfig.fromKubeconfig(data.resolve("admin.kubeconfig")));
  }

  private int sandboxes() {
    return simulators.stream().mapToInt(one -> one.machine().sandboxCount()).sum();
  }

  private Path socket(String name) {
    return temp.resolve(name + ".sock");
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT_NANOS;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited too long").isLessThan(end);
      LockSupport.parkNanos(10_000_000);
    }
  }
}

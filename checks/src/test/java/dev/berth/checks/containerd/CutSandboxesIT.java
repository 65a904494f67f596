package dev.berth.checks.containerd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.checks.TestCluster;
import dev.berth.checks.containerd.ContainerdProcess.LowLevelRuntime;
import dev.berth.launch.join.JoinTokens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Pods that are deleted while containerd makes their sandboxes and the agent is dead: the next
/// agent finds whatever containerd made of the calls that were cut off, and removes it.
class CutSandboxesIT {
  private static final Duration LONGEST = Duration.ofMinutes(2);
  private static final int PODS = 4;

  /// What an agent may write from its start until everything is removed, for each pod.
  private static final int LINES = 40;

  @TempDir private Path temp;
  private TestCluster cluster;
  private ContainerdProcess containerd;
  private JoinTokens.Made token;

  @BeforeEach
  void start() throws IOException {
    assumeTrue(ContainerdProcess.isUsable(LowLevelRuntime.RUNC));
    assumeTrue(Commands.succeeds("kubectl", "version", "--client"));
    containerd = ContainerdProcess.start(temp.resolve("c"), LowLevelRuntime.RUNC);
    cluster = TestCluster.start(temp.resolve("data"));
    token = JoinTokens.create(cluster.kubeconfig(), Duration.ofHours(1), true);
  }

  @AfterEach
  void stop() throws IOException {
    if (containerd != null) {
      containerd.thaw();
      cluster.close();
      containerd.close();
      BerthUp.run("down", "--grace-period=0", "--data-dir=" + temp.resolve("node"));
    }
  }

  @Test
  @Timeout(value = 6, unit = TimeUnit.MINUTES)
  void nothingIsLeftOfSandboxesThatWereCutOff() throws Exception {
    // The calls lie in the socket of a containerd that does not read them.
    Process first = agent("first.log");
    kubectl("wait", "--for=create", "serviceaccount/default", "--timeout=120s");
    kubectl("wait", "--for=create", "node/node-1", "--timeout=120s");
    kubectl("wait", "--for=condition=Ready", "node/node-1", "--timeout=120s");
    containerd.freeze();
    create("frozen");
    for (int i = 0; i < PODS; i++) {
      kubectl(
          "wait",
          "--for=jsonpath={.status.containerStatuses[0].state.waiting.reason}=ContainerCreating",
          "pod/frozen-" + i,
          "--timeout=60s");
    }
    kill(first);
    deleteAll();
    containerd.thaw();
    Process second = agent("second.log");
    awaitNothing("of calls that were not read");
    assertFewLines("second.log");

    // The calls are cut off in the middle of their work.
    create("cut");
    await("a sandbox is being made", () -> !sandboxes().isEmpty());
    kill(second);
    containerd.freeze();
    deleteAll();
    containerd.thaw();
    Process third = agent("third.log");
    awaitNothing("of calls that were cut off");
    assertFewLines("third.log");
    kill(third);
  }

  private Process agent(String log) throws IOException {
    List<String> command =
        BerthUp.berth(
            "agent",
            "--server=" + token.server(),
            "--token=" + token.token(),
            "--node-name=node-1",
            "--node-ip=127.0.0.1",
            "--port=0",
            "--cgroups-per-qos=false",
            "--ignore-kubelet",
            "--eviction-hard=memory.available<1Mi",
            "--container-runtime-endpoint=unix://" + containerd.socket(),
            "--data-dir=" + temp.resolve("node"));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(temp.resolve(log).toFile())
        .start();
  }

  private static void kill(Process process) throws InterruptedException {
    process.destroyForcibly();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
  }

  private void create(String prefix) throws IOException {
    StringBuilder pods = new StringBuilder();
    IntStream.range(0, PODS)
        .forEach(
            i ->
                pods.append(
                    """
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: %s-%d}
                    spec:
                      nodeName: node-1
                      containers: [{name: main, image: "%s", command: [sleep, "1000"]}]
                    ---
                    """
                        .formatted(prefix, i, TestImages.BUSYBOX)));
    Path file = Files.writeString(temp.resolve(prefix + ".yaml"), pods);
    kubectl("create", "-f", file.toString());
  }

  /// Nobody confirms the end of pods whose node is dead.
  private void deleteAll() throws IOException {
    kubectl("delete", "pods", "--all", "--force", "--grace-period=0");
  }

  private void awaitNothing(String what) throws IOException {
    kubectl("wait", "--for=condition=Ready", "node/node-1", "--timeout=120s");
    await("nothing is left " + what, () -> sandboxes().isEmpty());
    Path pods = temp.resolve("node/agent/pods");
    await(
        "directories are removed", () -> Objects.requireNonNull(pods.toFile().list()).length == 0);
  }

  private void assertFewLines(String log) throws IOException {
    List<String> lines = Files.readAllLines(temp.resolve(log));
    assertThat(lines).as(log).hasSizeLessThan(LINES * PODS);
    assertThat(lines.stream().filter(line -> line.contains("orphaned pod is ended")))
        .as(log)
        .hasSizeLessThanOrEqualTo(3 * PODS);
  }

  /// Sandboxes in any state, and containers.
  private List<String> sandboxes() {
    try {
      return new ArrayList<>(containerd.ctr("containers", "ls", "-q").lines().toList());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void kubectl(String... words) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("kubectl", "--kubeconfig", cluster.kubeconfig().toString()));
    command.addAll(List.of(words));
    Commands.run(command);
  }

  private static void await(String what, BooleanSupplier condition) {
    Instant end = Instant.now().plus(LONGEST);
    while (!condition.getAsBoolean()) {
      assertThat(Instant.now()).as(what).isBefore(end);
      LockSupport.parkNanos(20_000_000);
    }
  }
}

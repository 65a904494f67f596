package dev.berth.checks.pods;

import static dev.berth.checks.pods.TwoContainerds.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.agent.cgroups.CgroupLimits;
import dev.berth.agent.cgroups.PodCgroups;
import dev.berth.agent.streams.ContainerLocation;
import dev.berth.agent.streams.StreamPod;
import dev.berth.checks.containerd.TestImages;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Pods from the API server to two containerds (runc, crun) and back.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PodsOnContainerdIT {
  /// More of them take minutes: `-Dberth.random.pods=100`.
  private static final int RANDOM_PODS = Integer.getInteger("berth.random.pods", 20);

  private TwoContainerds all;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    assumeTrue(TwoContainerds.isUsable());
    all = new TwoContainerds(directory);
  }

  @AfterAll
  void stop() throws Exception {
    if (all != null) {
      all.stop();
    }
  }

  @Test
  void theSamePodRunsUnderTwoClassesSurvivesTheAgentAndGoes() throws Exception {
    all.pod("by-runc", "runtimeClassName: runc", "sleep 1000");
    all.pod("by-crun", "runtimeClassName: crun", "sleep 1000");
    String first = containerId(all.awaitPhase("by-runc", "Running"));
    String second = containerId(all.awaitPhase("by-crun", "Running"));
    assertThat(bound("by-runc")).contains("runtime service \"runc\", handler \"runc\"");
    assertThat(bound("by-crun")).contains("runtime service \"crun\", handler \"crun\"");

    all.node.stop();
    all.node.start();
    all.pod("later", "", "sleep 1000");
    all.awaitPhase("later", "Running");

    assertThat(containerId(all.get("by-runc"))).isEqualTo(first);
    assertThat(containerId(all.get("by-crun"))).isEqualTo(second);
    assertThat(all.get("by-runc").getStatus().getContainerStatuses().getFirst().getRestartCount())
        .isZero();
    List<String> names = List.of("by-runc", "by-crun", "later");
    names.forEach(all::delete);
    names.forEach(all::awaitGone);
    assertThat(all.runc.ctr("containers", "ls", "-q")).doesNotContain(first.replaceAll(".*/", ""));
  }

  @Test
  void anAgentThatGoesInTheMiddleOfStartsLeavesNoTraceOfIt() throws Exception {
    List<String> names = List.of("cut-1", "cut-2", "cut-3", "cut-4", "cut-5", "cut-6");
    String before = all.runc.ctr("containers", "ls", "-q");
    names.forEach(
        name -> all.pod(name, "runtimeClassName: runc\n  restartPolicy: Never", "sleep 1000"));
    for (int made = 1; made <= names.size(); made++) {
      long wanted = before.lines().count() + 2L * made; // With the sandboxes.
      await(made + " are there", () -> containersByRunc().lines().count() >= wanted);
      all.node.stop();
      all.node.start();
    }

    for (String name : names) {
      Pod pod = all.awaitPhase(name, "Running");
      assertThat(pod.getStatus().getContainerStatuses().getFirst().getRestartCount())
          .as(name)
          .isZero();
    }
    assertThat(containersByRunc().lines().count())
        .isEqualTo(before.lines().count() + 2L * names.size());
    names.forEach(all::delete);
    names.forEach(all::awaitGone);
  }

  private String containersByRunc() {
    try {
      return all.runc.ctr("containers", "ls", "-q");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aPodThatEndsSaysHowAndKeepsItsLog() {
    all.apply(
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: words, namespace: default}, data: {word: hello}}");
    all.pod(
        "task",
        "restartPolicy: Never",
        "echo $WORD on $NODE; echo last words > /dev/termination-log; exit 3");
    Pod ended = all.awaitPhase("task", "Failed");

    var terminated = ended.getStatus().getContainerStatuses().getFirst().getState().getTerminated();
    assertThat(terminated.getExitCode()).isEqualTo(3);
    assertThat(terminated.getReason()).isEqualTo("Error");
    assertThat(terminated.getMessage()).isEqualTo("last words\n");
    assertThat(all.node.agent().find(StreamPod.of("default", "task"), "main"))
        .isInstanceOfSatisfying(
            ContainerLocation.Found.class,
            found ->
                assertThat(log(Objects.requireNonNull(found.log())))
                    .contains("stdout F hello on node-1"));
  }

  @Test
  void aPodsControlGroupHoldsLimitsAndOverheadUntilItGoes() throws Exception {
    all.apply(
        """
        apiVersion: node.k8s.io/v1
        kind: RuntimeClass
        metadata: {name: heavy}
        handler: runc
        overhead: {podFixed: {cpu: 200m, memory: 140Mi}}
        """);
    all.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: limited, namespace: default}
        spec:
          nodeName: node-1
          automountServiceAccountToken: false
          runtimeClassName: heavy
          containers:
          - name: main
            image: %s
            imagePullPolicy: IfNotPresent
            command: [/bin/sleep, "1000"]
            resources: {limits: {cpu: 100m, memory: 100Mi}}
        """
            .formatted(TestImages.BUSYBOX));
    Pod pod = all.awaitPhase("limited", "Running");
    String group = PodCgroups.path(PodNode.GROUPS, "", pod.getMetadata().getUid());

    assertThat(all.node.kernel.read(group)).isEqualTo(new CgroupLimits(307, 30_000, 251_658_240));
    String id = containerId(pod).replaceAll(".*/", "");
    assertThat(all.node.kernel.below(group)).contains(group + "/" + id);
    assertThat(all.node.kernel.read(group + "/" + id).memoryBytes()).isEqualTo(100L << 20);

    all.delete("limited");
    all.awaitGone("limited");
    assertThat(all.node.kernel.below(PodNode.GROUPS)).doesNotContain(group);

    // As by a runtime that was called off and had not heard of it.
    all.node.kernel.set(group, CgroupLimits.LEAST);
    await("its group is removed again", () -> isNoGroup(group));
  }

  private boolean isNoGroup(String group) {
    try {
      return !all.node.kernel.below(PodNode.GROUPS).contains(group);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void podsThatComeAndGoAtRandomLeaveNothing() {
    long seed = Long.getLong("berth.seed", System.nanoTime());
    Random random = new Random(seed);
    Leftovers leftovers = new Leftovers(all);
    endAllPods(leftovers);
    Map<String, Long> before = leftovers.counts();
    List<String> alive = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < RANDOM_PODS; i++) {
      String name = "random-" + i;
      String handler = random.nextBoolean() ? "runc" : "crun";
      // Some do not listen when they are asked to end.
      String command =
          random.nextInt(4) == 0 ? "trap : TERM; while :; do sleep 1; done" : "sleep 1000";
      all.pod(name, "runtimeClassName: " + handler, command);
      alive.add(name);
      names.add(name);
      if (random.nextInt(2) == 0) {
        all.delete(alive.remove(random.nextInt(alive.size())));
      }
    }
    all.awaitPhase(alive.getFirst(), "Running");
    alive.forEach(all::delete);

    for (String name : names) {
      await(name + " is gone, seed " + seed, () -> all.find(name) == null);
    }
    await("no container is left", () -> leftovers.containers() == 0);
    await(
        "nothing is left, seed " + seed,
        () -> Leftovers.isNoMore(leftovers.counts(), before),
        () -> leftovers.counts() + ", not " + before);
  }

  /// What earlier tests left running would change the counts when it ends.
  private void endAllPods(Leftovers leftovers) {
    var pods = all.client.pods().inNamespace("default");
    pods.withGracePeriod(1).delete();
    await("all pods are gone", () -> pods.list().getItems().isEmpty());
    await("no container is left", () -> leftovers.containers() == 0);
  }

  @Test
  void aContainerdThatIsKilledChangesNothing() throws Exception {
    all.pod("steady", "runtimeClassName: runc", "sleep 1000");
    String before = containerId(all.awaitPhase("steady", "Running"));

    all.runc.kill();
    all.pod("elsewhere", "runtimeClassName: crun", "sleep 1000");
    all.awaitPhase("elsewhere", "Running");
    assertThat(all.get("steady").getStatus().getPhase()).isEqualTo("Running");
    all.runc.restart();
    all.pod("after", "runtimeClassName: runc", "sleep 1000");
    all.awaitPhase("after", "Running");

    assertThat(containerId(all.get("steady"))).isEqualTo(before);
  }

  /// It forgets what it was about to start, and what it did start may be there all the same.
  @Test
  void aContainerdThatIsKilledInTheMiddleOfStartsLosesNoPod() throws Exception {
    List<String> names = List.of("shot-1", "shot-2", "shot-3", "shot-4", "shot-5", "shot-6");
    names.forEach(name -> all.pod(name, "runtimeClassName: runc", "sleep 1000"));
    for (int running = 1; running < names.size(); running += 2) {
      int wanted = running;
      await(running + " run", () -> names.stream().filter(this::runs).count() >= wanted);
      all.runc.kill();
      all.runc.restart();
    }

    names.forEach(name -> all.awaitPhase(name, "Running"));
    names.forEach(all::delete);
    names.forEach(all::awaitGone);
  }

  private boolean runs(String name) {
    return all.get(name).getStatus().getPhase().equals("Running");
  }

  private static String containerId(Pod pod) {
    return pod.getStatus().getContainerStatuses().getFirst().getContainerID();
  }

  private String bound(String name) {
    return all.get(name).getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals("RuntimeServiceBound"))
        .map(PodCondition::getMessage)
        .findFirst()
        .orElse("");
  }

  private static String log(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}

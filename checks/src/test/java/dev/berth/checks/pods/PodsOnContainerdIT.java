package dev.berth.checks.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.agent.cgroups.CgroupLimits;
import dev.berth.agent.cgroups.PodCgroups;
import dev.berth.agent.streams.PodName;
import dev.berth.agent.streams.Whereabouts;
import dev.berth.checks.TestCluster;
import dev.berth.checks.containerd.ContainerdProcess;
import dev.berth.checks.containerd.ContainerdProcess.LowLevelRuntime;
import dev.berth.checks.containerd.TestImages;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Pods from the API server to two containerds (runc, crun) and back.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PodsOnContainerdIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private ContainerdProcess runc;
  private ContainerdProcess crun;
  private TestCluster cluster;
  private KubernetesClient client;
  private PodNode node;
  private Path folder;

  @BeforeAll
  void start(@TempDir Path place) throws Exception {
    folder = place;
    assumeTrue(ContainerdProcess.isUsable(LowLevelRuntime.RUNC));
    assumeTrue(ContainerdProcess.isUsable(LowLevelRuntime.CRUN));
    runc = ContainerdProcess.start(folder.resolve("r"), LowLevelRuntime.RUNC);
    crun = ContainerdProcess.start(folder.resolve("c"), LowLevelRuntime.CRUN);
    cluster = TestCluster.start(folder.resolve("data"));
    client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(cluster.kubeconfig().toFile()))
            .build();
    Map<String, Path> sockets = new LinkedHashMap<>();
    sockets.put("runc", runc.socket());
    sockets.put("crun", crun.socket());
    node = new PodNode(folder.resolve("node"), cluster.kubeconfig(), sockets);
    node.start();
    for (String name : sockets.keySet()) {
      apply(
          "{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: %s}, handler: %s}"
              .formatted(name, name));
    }
  }

  @AfterAll
  void stop() throws Exception {
    if (node != null) {
      node.close();
    }
    if (client != null) {
      client.close();
    }
    if (cluster != null) {
      cluster.close();
    }
    if (crun != null) {
      crun.close();
    }
    if (runc != null) {
      runc.close();
      PodNode.clearGroups();
    }
  }

  @Test
  void theSamePodRunsUnderTwoClassesSurvivesTheAgentAndGoes() throws Exception {
    pod("by-runc", "runtimeClassName: runc", "sleep 1000");
    pod("by-crun", "runtimeClassName: crun", "sleep 1000");
    String first = containerId(awaitPhase("by-runc", "Running"));
    String second = containerId(awaitPhase("by-crun", "Running"));
    assertThat(bound("by-runc")).contains("runtime service \"runc\", handler \"runc\"");
    assertThat(bound("by-crun")).contains("runtime service \"crun\", handler \"crun\"");

    node.stop();
    node.start();
    pod("later", "", "sleep 1000");
    awaitPhase("later", "Running");

    assertThat(containerId(get("by-runc"))).isEqualTo(first);
    assertThat(containerId(get("by-crun"))).isEqualTo(second);
    assertThat(get("by-runc").getStatus().getContainerStatuses().getFirst().getRestartCount())
        .isZero();
    for (String name : new String[] {"by-runc", "by-crun", "later"}) {
      client.pods().inNamespace("default").withName(name).withGracePeriod(1).delete();
    }
    for (String name : new String[] {"by-runc", "by-crun", "later"}) {
      await(name + " is gone", () -> find(name) == null);
    }
    assertThat(runc.ctr("containers", "ls", "-q")).doesNotContain(first.replaceAll(".*/", ""));
  }

  @Test
  void aPodThatEndsSaysHowAndKeepsItsLog() throws Exception {
    apply(
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: words, namespace: default}, data: {word: hello}}");
    pod(
        "task",
        "restartPolicy: Never",
        "echo $WORD on $NODE; echo last words > /dev/termination-log; exit 3");
    Pod ended = awaitPhase("task", "Failed");

    var terminated = ended.getStatus().getContainerStatuses().getFirst().getState().getTerminated();
    assertThat(terminated.getExitCode()).isEqualTo(3);
    assertThat(terminated.getReason()).isEqualTo("Error");
    assertThat(terminated.getMessage()).isEqualTo("last words\n");
    assertThat(node.agent().find(PodName.of("default", "task"), "main"))
        .isInstanceOfSatisfying(
            Whereabouts.Found.class,
            found ->
                assertThat(log(Objects.requireNonNull(found.log())))
                    .contains("stdout F hello on node-1"));
  }

  @Test
  void aPodsControlGroupHoldsLimitsAndOverheadUntilItGoes() throws Exception {
    apply(
        """
        apiVersion: node.k8s.io/v1
        kind: RuntimeClass
        metadata: {name: heavy}
        handler: runc
        overhead: {podFixed: {cpu: 200m, memory: 140Mi}}
        """);
    apply(
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
    Pod pod = awaitPhase("limited", "Running");
    String group = PodCgroups.path(PodNode.GROUPS, "", pod.getMetadata().getUid());

    assertThat(node.kernel.read(group)).isEqualTo(new CgroupLimits(307, 30_000, 251_658_240));
    String id = containerId(pod).replaceAll(".*/", "");
    assertThat(node.kernel.below(group)).contains(group + "/" + id);
    assertThat(node.kernel.read(group + "/" + id).memoryBytes()).isEqualTo(100L << 20);

    client.pods().inNamespace("default").withName("limited").withGracePeriod(1).delete();
    await("limited is gone", () -> find("limited") == null);
    assertThat(node.kernel.below(PodNode.GROUPS)).doesNotContain(group);

    // As by a runtime that was called off and had not heard of it.
    node.kernel.set(group, CgroupLimits.LEAST);
    await("its group is removed again", () -> isNoGroup(group));
  }

  private boolean isNoGroup(String group) {
    try {
      return !node.kernel.below(PodNode.GROUPS).contains(group);
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void podsThatComeAndGoAtRandomLeaveNothing() throws Exception {
    long seed = Long.getLong("berth.seed", System.nanoTime());
    Random random = new Random(seed);
    endAllPods();
    Map<String, Long> before = counts();
    List<String> alive = new ArrayList<>();
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      String name = "random-" + i;
      String handler = random.nextBoolean() ? "runc" : "crun";
      // Some do not listen when they are asked to end.
      String command =
          random.nextInt(4) == 0 ? "trap : TERM; while :; do sleep 1; done" : "sleep 1000";
      pod(name, "runtimeClassName: " + handler, command);
      alive.add(name);
      all.add(name);
      if (random.nextInt(2) == 0) {
        delete(alive.remove(random.nextInt(alive.size())));
      }
    }
    awaitPhase(alive.getFirst(), "Running");
    alive.forEach(this::delete);

    for (String name : all) {
      await(name + " is gone, seed " + seed, () -> find(name) == null);
    }
    awaitNoContainers();
    await(
        "nothing is left, seed " + seed,
        () -> isNoMore(counts(), before),
        () -> counts() + ", not " + before);
  }

  private static boolean isNoMore(Map<String, Long> now, Map<String, Long> before) {
    return now.entrySet().stream()
        .allMatch(count -> count.getValue() <= before.getOrDefault(count.getKey(), 0L));
  }

  /// What earlier tests left running would change the counts when it ends.
  private void endAllPods() {
    client.pods().inNamespace("default").withGracePeriod(1).delete();
    await(
        "all pods are gone",
        () -> client.pods().inNamespace("default").list().getItems().isEmpty());
    awaitNoContainers();
  }

  private void awaitNoContainers() {
    await(
        "no container is left",
        () ->
            counts().entrySet().stream()
                .filter(count -> count.getKey().startsWith("containers"))
                .allMatch(count -> count.getValue() == 0));
  }

  private void delete(String name) {
    client.pods().inNamespace("default").withName(name).withGracePeriod(1).delete();
  }

  /// What pods could leave behind.
  private Map<String, Long> counts() {
    try {
      Map<String, Long> counts = new LinkedHashMap<>();
      for (ContainerdProcess containerd : List.of(runc, crun)) {
        counts.put(
            "containers of " + containerd.runtime(),
            containerd.ctr("containers", "ls", "-q").lines().count());
        counts.put(
            "tasks of " + containerd.runtime(),
            containerd.ctr("tasks", "ls", "-q").lines().count());
      }
      for (String name : List.of("r", "c")) {
        // One for each sandbox with a network namespace, besides the record of the last.
        counts.put("addresses of " + name, addresses(folder.resolve(name)));
      }
      counts.put(
          "mounts",
          Files.readAllLines(Path.of("/proc/self/mounts")).stream()
              .filter(line -> line.contains(folder.toString()))
              .count());
      long groups = 0;
      for (String level : List.of("", "/burstable", "/besteffort")) {
        groups += node.kernel.below(PodNode.GROUPS + level).size();
      }
      counts.put("control groups", groups);
      counts.put("folders", entries(folder.resolve("node/pods")));
      counts.putAll(OpenFiles.count(ProcessHandle.current(), folder));
      return counts;
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  private static long addresses(Path containerd) throws java.io.IOException {
    Path folder = containerd.resolve("addresses/test");
    if (!Files.isDirectory(folder)) {
      return 0;
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(one -> one.getFileName().toString().startsWith("10.")).count();
    }
  }

  private static long entries(Path folder) throws java.io.IOException {
    if (!Files.isDirectory(folder)) {
      return 0;
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.count();
    }
  }

  @Test
  void aContainerdThatIsKilledChangesNothing() throws Exception {
    pod("steady", "runtimeClassName: runc", "sleep 1000");
    String before = containerId(awaitPhase("steady", "Running"));

    runc.kill();
    pod("elsewhere", "runtimeClassName: crun", "sleep 1000");
    awaitPhase("elsewhere", "Running");
    assertThat(get("steady").getStatus().getPhase()).isEqualTo("Running");
    runc.restart();
    pod("after", "runtimeClassName: runc", "sleep 1000");
    awaitPhase("after", "Running");

    assertThat(containerId(get("steady"))).isEqualTo(before);
  }

  private void pod(String name, String more, String command) {
    apply(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: default}
        spec:
          nodeName: node-1
          automountServiceAccountToken: false
          terminationGracePeriodSeconds: 1
          %s
          containers:
          - name: main
            image: %s
            imagePullPolicy: IfNotPresent
            command: [/bin/sh, -c, '%s']
            env:
            - {name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}
            - name: WORD
              valueFrom: {configMapKeyRef: {name: words, key: word, optional: true}}
        """
            .formatted(name, more, TestImages.BUSYBOX, command));
  }

  private void apply(String yaml) {
    client.resource("# YAML, not JSON\n" + yaml).create();
  }

  private Pod find(String name) {
    return client.pods().inNamespace("default").withName(name).get();
  }

  private Pod get(String name) {
    Pod pod = find(name);
    assertThat(pod).as(name).isNotNull();
    return pod;
  }

  private Pod awaitPhase(String name, String phase) {
    Predicate<Pod> there =
        pod -> pod != null && pod.getStatus() != null && phase.equals(pod.getStatus().getPhase());
    try {
      await(name + " is " + phase, () -> there.test(find(name)));
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + ": " + find(name), e);
    }
    return get(name);
  }

  private static String containerId(Pod pod) {
    return pod.getStatus().getContainerStatuses().getFirst().getContainerID();
  }

  private String bound(String name) {
    return get(name).getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals("RuntimeServiceBound"))
        .map(condition -> condition.getMessage())
        .findFirst()
        .orElse("");
  }

  private static String log(Path file) {
    try {
      return Files.readString(file);
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void await(String what, BooleanSupplier condition) {
    await(what, condition, () -> "");
  }

  /// @param why asked for when it was waited for in vain
  private static void await(String what, BooleanSupplier condition, Supplier<String> why) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within " + PATIENCE + ": " + what + " " + why.get());
      }
      LockSupport.parkNanos(10_000_000);
    }
  }
}

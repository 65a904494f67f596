package dev.berth.checks.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.checks.TestCluster;
import dev.berth.checks.containerd.ContainerdProcess;
import dev.berth.checks.containerd.ContainerdProcess.LowLevelRuntime;
import dev.berth.checks.containerd.TestImages;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// An API server and one node with two containerds (runc, crun), and a class for each.
final class TwoContainerds {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  final ContainerdProcess runc;
  final ContainerdProcess crun;
  final PodNode node;
  final KubernetesClient client;
  final Path directory;

  private final Deque<AutoCloseable> started = new ArrayDeque<>();

  TwoContainerds(Path directory) throws Exception {
    this.directory = directory;
    started.push(PodNode::clearGroups);
    try {
      runc = keep(ContainerdProcess.start(directory.resolve("r"), LowLevelRuntime.RUNC));
      crun = keep(ContainerdProcess.start(directory.resolve("c"), LowLevelRuntime.CRUN));
      TestCluster cluster = keep(TestCluster.withoutControllers(directory.resolve("data")));
      client =
          keep(
              new KubernetesClientBuilder()
                  .withConfig(Config.fromKubeconfig(cluster.kubeconfig().toFile()))
                  .build());
      Map<String, Path> sockets = new LinkedHashMap<>();
      sockets.put("runc", runc.socket());
      sockets.put("crun", crun.socket());
      node = keep(new PodNode(directory.resolve("node"), cluster.kubeconfig(), sockets));
      node.register();
      node.start();
      for (String name : sockets.keySet()) {
        apply(
            "{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: %s}, handler: %s}"
                .formatted(name, name));
      }
    } catch (Exception e) {
      stop();
      throw e;
    }
  }

  static boolean isUsable() {
    return ContainerdProcess.isUsable(LowLevelRuntime.RUNC)
        && ContainerdProcess.isUsable(LowLevelRuntime.CRUN);
  }

  private <T extends AutoCloseable> T keep(T one) {
    started.push(one);
    return one;
  }

  void pod(String name, String more, String command) {
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

  void apply(String yaml) {
    client.resource("# YAML, not JSON\n" + yaml).create();
  }

  @Nullable Pod find(String name) {
    return client.pods().inNamespace("default").withName(name).get();
  }

  Pod get(String name) {
    Pod pod = find(name);
    assertThat(pod).as(name).isNotNull();
    return Objects.requireNonNull(pod);
  }

  Pod awaitPhase(String name, String phase) {
    Predicate<Pod> there =
        pod -> pod != null && pod.getStatus() != null && phase.equals(pod.getStatus().getPhase());
    try {
      await(name + " is " + phase, () -> there.test(find(name)));
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + ": " + find(name), e);
    }
    return get(name);
  }

  /// Asks a pod to go, with a second for it.
  void delete(String name) {
    client.pods().inNamespace("default").withName(name).withGracePeriod(1).delete();
  }

  void awaitGone(String name) {
    await(name + " is gone", () -> find(name) == null);
  }

  static void await(String what, BooleanSupplier condition) {
    await(what, condition, () -> "");
  }

  /// @param why asked for when it was waited for in vain
  static void await(String what, BooleanSupplier condition, Supplier<String> why) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within " + PATIENCE + ": " + what + " " + why.get());
      }
      LockSupport.parkNanos(10_000_000);
    }
  }

  void stop() throws Exception {
    while (!started.isEmpty()) {
      started.pop().close();
    }
  }
}

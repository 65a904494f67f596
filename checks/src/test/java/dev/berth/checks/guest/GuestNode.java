package dev.berth.checks.guest;

import dev.berth.checks.ServerProcess;
import dev.berth.checks.containerd.TestImages;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// An API server of this machine, and a guest that is its only node.
final class GuestNode implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  final Guest guest;
  final KubernetesClient client;
  private final Deque<AutoCloseable> started = new ArrayDeque<>();

  /// Serves pods some time later.
  ///
  /// @param flags of `berth agent`
  GuestNode(Path directory, GuestSystem system, String flags) throws Exception {
    try {
      ServerProcess server =
          keep(ServerProcess.start(directory.resolve("server"), "--tls-sans=" + Guest.HOST));
      client = keep(server.client());
      String kubeconfig =
          Files.readString(server.kubeconfig())
              .replace("https://127.0.0.1:", "https://" + Guest.HOST + ":");
      int port = Guest.freePort();
      GuestKernel kernel = GuestKernel.find().orElseThrow();
      guest =
          keep(
              Guest.boot(
                  kernel,
                  kernel.writeStart(directory.resolve("start"), GuestDisk.busybox()),
                  new GuestDisk(directory.resolve("root")).write(system, kubeconfig, port, flags),
                  port));
      // Pods of a node that is not there are taken for those of one that was deleted.
      awaitNode();
    } catch (Exception | AssertionError e) {
      close();
      throw e;
    }
  }

  private void awaitNode() {
    try {
      await("the node is there", () -> client.nodes().withName("guest").get() != null);
    } catch (AssertionError e) {
      throw explained(e);
    }
  }

  private <T extends AutoCloseable> T keep(T one) {
    started.push(one);
    return one;
  }

  void apply(String yaml) {
    client.resource("# YAML, not JSON\n" + yaml).create();
  }

  /// One that waits for its end.
  ///
  /// @param more of its specification
  /// @param resources of its container
  void pod(String name, String more, String resources) {
    pod(name, more, "sleep 1000", resources);
  }

  void pod(String name, String more, String command, String resources) {
    apply(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: default}
        spec:
          nodeName: guest
          automountServiceAccountToken: false
          terminationGracePeriodSeconds: 1
          %s
          containers:
          - name: main
            image: %s
            imagePullPolicy: IfNotPresent
            command: [/bin/sh, -c, '%s']
            resources: %s
        """
            .formatted(name, more, TestImages.BUSYBOX, command, resources));
  }

  @Nullable Pod find(String name) {
    return client.pods().inNamespace("default").withName(name).get();
  }

  Pod awaitPhase(String name, String phase) {
    await(name + " is " + phase, () -> phase.equals(phase(find(name))));
    return Objects.requireNonNull(find(name));
  }

  private static String phase(@Nullable Pod pod) {
    return pod == null ? "" : pod.getStatus().getPhase();
  }

  static String containerId(Pod pod) {
    return pod.getStatus().getContainerStatuses().getFirst().getContainerID().replaceAll(".*/", "");
  }

  void deleteAndAwait(String name) {
    client.pods().inNamespace("default").withName(name).withGracePeriod(1).delete();
    await(name + " is gone", () -> find(name) == null);
  }

  /// What a group may use together: memory, processors, their weight, processes; whether it ends as
  /// one for want of memory.
  String limits(String group) {
    return String.join(
        ", ",
        guest
            .run(
                "cd /sys/fs/cgroup%s && cat memory.max cpu.max cpu.weight pids.max memory.oom.group"
                    .formatted(group))
            .lines()
            .toList());
  }

  static String quantities(String cpu, String memory) {
    return "{\"cpu\": \"%s\", \"memory\": \"%s\"}".formatted(cpu, memory);
  }

  /// Gives a running pod's container other resources.
  void resize(String name, String requests, String limits) {
    client
        .pods()
        .inNamespace("default")
        .withName(name)
        .subresource("resize")
        .patch(
            PatchContext.of(PatchType.STRATEGIC_MERGE),
            "{\"spec\": {\"containers\": [{\"name\": \"main\", \"resources\": {\"requests\": %s, \"limits\": %s}}]}}"
                .formatted(requests, limits));
  }

  /// What the node answers. A guest on a busy machine may need longer for a handshake than the API
  /// server waits for it.
  String nodeAnswer(String path) {
    AtomicReference<String> answer = new AtomicReference<>();
    await(
        "the node answers " + path,
        () -> {
          try {
            answer.set(client.raw("/api/v1/nodes/guest/proxy" + path));
          } catch (KubernetesClientException e) {
            if (!String.valueOf(e.getMessage()).contains("error dialing backend")) {
              throw e;
            }
          }
          return answer.get() != null;
        });
    return Objects.requireNonNull(answer.get());
  }

  void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end || !guest.isAlive()) {
        throw new AssertionError("not within " + PATIENCE + ": " + what);
      }
      LockSupport.parkNanos(100_000_000);
    }
  }

  /// What failed, with all that the guest has said.
  AssertionError explained(Throwable problem) {
    return new AssertionError(problem + "\nthe guest's console:\n" + guest.console(), problem);
  }

  @Override
  public void close() throws IOException {
    while (!started.isEmpty()) {
      try {
        started.pop().close();
      } catch (Exception e) {
        throw new IOException(e);
      }
    }
  }
}

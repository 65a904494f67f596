package dev.berth.checks.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.berth.agent.images.CollectionRules;
import dev.berth.agent.pods.HousekeepingSettings;
import dev.berth.agent.pods.PodAgentConfig;
import dev.berth.agent.pods.PodSettings;
import dev.berth.agent.pods.logs.LogRules;
import dev.berth.agent.streams.ContainerLocation;
import dev.berth.agent.streams.StreamPod;
import dev.berth.checks.TestCluster;
import dev.berth.checks.containerd.ContainerdProcess;
import dev.berth.checks.containerd.ContainerdProcess.LowLevelRuntime;
import dev.berth.checks.containerd.TestImages;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the agent does beside running pods, on a real containerd: requests as hooks, rotation of
/// logs, removal of images.
class HousekeepingIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final LogRules SMALL_LOGS = new LogRules(20_000, 3, Duration.ofMillis(200));

  /// Everything that nobody uses goes at once.
  private static final CollectionRules FULL_DISK =
      new CollectionRules(0, 0, Duration.ZERO, Duration.ofMillis(200));

  @TempDir private Path directory;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private HttpServer hooks;
  private ContainerdProcess containerd;
  private TestCluster cluster;
  private KubernetesClient client;
  private PodNode node;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(ContainerdProcess.isUsable(LowLevelRuntime.RUNC));
    hooks = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    hooks.createContext(
        "/",
        exchange -> {
          requests.add(exchange.getRequestURI() + " " + exchange.getRequestHeaders().get("X-Who"));
          // Any answer will do.
          exchange.sendResponseHeaders(500, -1);
          exchange.close();
        });
    hooks.start();
    containerd = ContainerdProcess.start(directory.resolve("c"), LowLevelRuntime.RUNC);
    cluster = TestCluster.withoutControllers(directory.resolve("data"));
    client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(cluster.kubeconfig().toFile()))
            .build();
    node =
        new PodNode(
            directory.resolve("node"),
            cluster.kubeconfig(),
            Map.of("containerd", containerd.socket()));
    node.register();
    node.start(config -> with(config, HousekeepingSettings.USUAL.with(SMALL_LOGS)));
  }

  private static PodAgentConfig with(PodAgentConfig config, HousekeepingSettings housekeeping) {
    return config.with(PodSettings.USUAL.with(housekeeping));
  }

  @AfterEach
  void stop() throws IOException {
    for (AutoCloseable part : new AutoCloseable[] {node, client, cluster, containerd}) {
      try {
        if (part != null) {
          part.close();
        }
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
    if (containerd != null) {
      PodNode.clearGroups();
    }
    if (hooks != null) {
      hooks.stop(0);
    }
  }

  @Test
  void hooksLogsAndImagesAreLookedAfter() throws Exception {
    client.resource("# YAML, not JSON\n" + pod(hooks.getAddress().getPort())).create();
    await("the pod runs", () -> "Running".equals(find().getStatus().getPhase()));
    await("its hook was called", () -> requests.equals(List.of("/started [pod]")));

    Path log = log();
    await("old parts are compressed", () -> names(log).stream().anyMatch(n -> n.endsWith(".gz")));
    await("the oldest go", () -> names(log).size() == 3);
    node.stop();
    await("the newest part is written", () -> lines(log).size() > 1);
    linesFollowEachOther(log);

    containerd.ctr(
        "images", "import", TestImages.writeUnused(directory.resolve("unused.tar")).toString());
    assertThat(images()).contains(TestImages.UNUSED);
    node.start(config -> with(config, HousekeepingSettings.USUAL.with(FULL_DISK)));
    await("the image is gone", () -> !images().contains(TestImages.UNUSED));
    assertThat(images()).contains(TestImages.BUSYBOX, TestImages.PAUSE);

    client.pods().inNamespace("default").withName("busy").delete();
    await("the pod is gone", () -> find() == null);
    assertThat(requests).containsExactly("/started [pod]", "/stopping [pod]");
  }

  private static String pod(int port) {
    return """
        apiVersion: v1
        kind: Pod
        metadata: {name: busy, namespace: default}
        spec:
          nodeName: node-1
          automountServiceAccountToken: false
          terminationGracePeriodSeconds: 1
          containers:
          - name: main
            image: %1$s
            command:
            - /bin/sh
            - -c
            - 'i=0; while true; do i=$((i+1)); echo $i; [ $((i %% 200)) -eq 0 ] && sleep 0.1; done'
            lifecycle:
              postStart:
                httpGet:
                  host: 127.0.0.1
                  port: %2$d
                  path: /started
                  httpHeaders: [{name: X-Who, value: pod}]
              preStop:
                httpGet:
                  host: 127.0.0.1
                  port: %2$d
                  path: /stopping
                  httpHeaders: [{name: X-Who, value: pod}]
        """
        .formatted(TestImages.BUSYBOX, port);
  }

  private Path log() {
    ContainerLocation where = node.agent().find(StreamPod.of("default", "busy"), "main");
    return Objects.requireNonNull(((ContainerLocation.Found) where).log());
  }

  /// Files of one log, the oldest first and the one being written last.
  private static List<String> names(Path log) throws IOException {
    String current = log.getFileName().toString();
    try (Stream<Path> files = Files.list(Objects.requireNonNull(log.getParent()))) {
      List<String> all = files.map(file -> file.getFileName().toString()).sorted().toList();
      return Stream.concat(
              all.stream().filter(name -> name.startsWith(current + ".")), Stream.of(current))
          .toList();
    }
  }

  /// Nothing is lost between two files.
  private static void linesFollowEachOther(Path log) throws IOException {
    long last = 0;
    for (String name : names(log)) {
      List<String> lines = lines(log.resolveSibling(name));
      long first = number(lines.getFirst());
      if (last > 0) {
        assertThat(first).as(name).isEqualTo(last + 1);
      }
      // The file that is being written may end within a line.
      last = number(name.equals(log.getFileName().toString()) ? lines.get(0) : lines.getLast());
    }
  }

  private static List<String> lines(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file);
        InputStream plain = file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in) {
      return new String(plain.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  private static long number(String line) {
    return Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
  }

  private String images() throws IOException {
    return containerd.ctr("images", "ls", "-q");
  }

  private Pod find() {
    return client.pods().inNamespace("default").withName("busy").get();
  }

  private static void await(String what, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within " + PATIENCE + ": " + what);
      }
      LockSupport.parkNanos(20_000_000);
    }
  }
}

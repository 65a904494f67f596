package dev.berth.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ClientException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Random pods on random nodes through admission, registry and scheduler: none is bound to a node
/// that cannot run its image, none waits that a node could run, and none is refused that one could.
/// The rule for what runs is written here again, on texts.
///
/// Some pods name a RuntimeClass, a platform, a runtime service or a node, and some change their
/// image. All of it is real but for the nodes, which are objects: the API server with its
/// admission, the registry with its protocol, and the scheduler.
final class RandomSteeringIT {
  private static final long SEED = 1301;
  private static final int PODS = 10_000;
  private static final int NODES = 120;

  /// Pods that are created at the same time; admission lets at most 64 requests wait for
  /// registries.
  private static final int CREATORS = 8;

  /// Half of the nodes join when the pods exist.
  private static final int EARLY_NODES = NODES / 2;

  private static final List<String> HOSTS =
      List.of(
          "linux/amd64",
          "linux/arm64",
          "linux/s390x",
          "windows/amd64 10.0.17763",
          "windows/amd64 10.0.20348",
          "windows/amd64 10.0.26100");
  private static final List<String> ENTRIES =
      List.of(
          "linux/amd64",
          "linux/arm64",
          "linux/s390x",
          "linux/riscv64",
          "windows/amd64 10.0.17134.1",
          "windows/amd64 10.0.17763.805",
          "windows/amd64 10.0.20348.9",
          "windows/amd64 10.0.26100.9",
          "windows/amd64 10.0.27000.1");
  private static final List<String> CLASSES = List.of("one", "hyper");
  private static final List<String> CHOICES =
      List.of(
          "",
          "",
          "",
          "'runtimeClassName':'one'",
          "'runtimeClassName':'hyper'",
          "'nodeSelector':{'kubernetes.io/os':'linux'}",
          "'nodeSelector':{'kubernetes.io/os':'windows'}",
          "'runtimeServiceName':'box'",
          "'runtimeServiceName':'default'",
          "'nodeName':'n%d'");

  private static final Pattern NODE_NAME = Pattern.compile("'nodeName':'(n[0-9]+)'");

  @TempDir private Path directory;

  private final Random random = new Random(SEED);
  private final Map<String, KnownNode> nodes = new HashMap<>();
  private final Map<String, List<String>> entriesOfPods = new ConcurrentHashMap<>();
  private final AtomicInteger refused = new AtomicInteger();

  /// @param handlers the platform of each handler, with "" for the default; those of the service
  ///   `box` are `box:` and the handler
  private record KnownNode(String host, Map<String, String> handlers) {}

  /// @param spec fields of the spec, in JSON with single quotes
  /// @param changed entries of another image that the pod gets; empty for none
  private record PlannedPod(String name, List<String> entries, String spec, List<String> changed) {}

  @Test
  void podsAreBoundOnlyWhereTheirImagesRun() throws Exception {
    try (IndexRegistry registry = new IndexRegistry();
        SteeredCluster cluster = new SteeredCluster(directory, CLASSES)) {
      join(cluster, EARLY_NODES);
      awaitNodesInAdmission(cluster, registry);
      List<PlannedPod> planned = new ArrayList<>();
      for (int i = 0; i < PODS; i++) {
        String spec = CHOICES.get(random.nextInt(CHOICES.size()));
        planned.add(
            new PlannedPod(
                "p" + i,
                entries(),
                spec.contains("%d") ? spec.formatted(random.nextInt(EARLY_NODES)) : spec,
                random.nextInt(20) == 0 ? entries() : List.of()));
      }
      create(cluster, registry, planned);
      join(cluster, NODES - EARLY_NODES);

      Await.untilAsserted(
          () ->
              assertThat(cluster.waiting().stream().filter(this::waitsInVain).map(Object::toString))
                  .isEmpty());
      assertBindings(cluster.pods());
    }
  }

  private void create(SteeredCluster cluster, IndexRegistry registry, List<PlannedPod> planned)
      throws Exception {
    try (ExecutorService creators = Executors.newFixedThreadPool(CREATORS)) {
      List<Future<?>> running = new ArrayList<>();
      for (PlannedPod pod : planned) {
        running.add(creators.submit(() -> create(cluster, registry, pod)));
      }
      for (Future<?> one : running) {
        one.get();
      }
    }
  }

  /// The nodes do not change meanwhile, so that a refusal can be judged.
  private void create(SteeredCluster cluster, IndexRegistry registry, PlannedPod pod) {
    try {
      cluster.pod(pod.name(), registry.image(pod.entries()), pod.spec());
      entriesOfPods.put(pod.name(), pod.entries());
    } catch (ClientException e) {
      assertRefusal(e, pod, pod.entries());
      refused.incrementAndGet();
      return;
    }
    if (!pod.changed().isEmpty()) {
      try {
        if (cluster.changeImage(pod.name(), registry.image(pod.changed()))) {
          entriesOfPods.put(pod.name(), pod.changed());
        }
      } catch (ClientException e) {
        assertThat(e).hasMessageContaining("has no entry for");
      }
    }
  }

  private void assertRefusal(ClientException e, PlannedPod pod, List<String> entries) {
    assertThat(e).hasMessageContaining("has no entry for");
    boolean namesService = pod.spec().contains("box");
    Matcher named = NODE_NAME.matcher(pod.spec());
    String node = named.find() ? named.group(1) : "";
    assertThat(nodes.entrySet())
        .as("%s with %s: %s", pod, entries, e.getMessage())
        .filteredOn(one -> node.isEmpty() || one.getKey().equals(node))
        .noneMatch(
            one ->
                one.getValue().handlers().entrySet().stream()
                    .filter(handler -> handler.getKey().startsWith("box:") == namesService)
                    .anyMatch(handler -> runs(entries, handler.getValue())));
  }

  private boolean waitsInVain(JsonNode pod) {
    return nodes.keySet().stream().anyMatch(node -> fits(pod, node));
  }

  /// Admission learns of nodes by an informer, in their order, which ends with a node of its own
  /// architecture.
  private void awaitNodesInAdmission(SteeredCluster cluster, IndexRegistry registry) {
    String platform = "linux/ppc64le";
    nodes.put("last", new KnownNode(platform, Map.of("", platform)));
    cluster.node("last", platform, "'handlers':[]");
    entriesOfPods.put("first", List.of(platform));
    Await.untilAsserted(
        () -> {
          String image = registry.image(List.of(platform));
          assertThat(cluster.pod("first", image, "").at("/spec/nodeSelector").size()).isPositive();
        });
  }

  private void assertBindings(List<ObjectNode> pods) {
    int bound = 0;
    for (ObjectNode pod : pods) {
      String node = pod.at("/spec/nodeName").asText();
      if (!node.isEmpty()) {
        bound++;
        assertThat(fits(pod, node))
            .as("%s on %s", pod.at("/metadata/name").asText(), nodes.get(node))
            .isTrue();
      }
    }
    // Each outcome must be frequent for this test to mean something.
    assertThat(bound).isGreaterThan(PODS / 4);
    assertThat(pods.size() - bound).as("waiting").isGreaterThan(PODS / 40);
    assertThat(refused.get()).isGreaterThan(PODS / 100);
    System.getLogger("steering")
        .log(
            System.Logger.Level.INFO,
            "{0} pods: {1} bound, {2} waiting, {3} refused; 0 on a node that cannot run them",
            PODS,
            bound,
            pods.size() - bound,
            refused.get());
  }

  private void join(SteeredCluster cluster, int count) {
    int first = nodes.size();
    for (int i = first; i < first + count; i++) {
      String host = HOSTS.get(random.nextInt(HOSTS.size()));
      Map<String, String> handlers = new HashMap<>(Map.of("", host));
      String service = "'handlers':[]";
      if (random.nextInt(3) == 0 && host.startsWith("windows")) {
        handlers.put("hyper", host + " hyperv");
        service = "'handlers':['hyper'],'isolation':{'hyper':'hyperv'}";
      } else if (random.nextInt(3) == 0 && host.startsWith("linux")) {
        handlers.put("one", "linux/arm64");
        service = "'handlers':['one'],'platforms':{'one':'linux/arm64'}";
      }
      if (random.nextInt(4) == 0) {
        String box = random.nextBoolean() ? "linux/riscv64" : host;
        handlers.put("box:", box);
        service +=
            "},'box':{'workloadType':'container','handlers':[],'platforms':{'':'%s'}"
                .formatted(box);
      }
      nodes.put("n" + i, new KnownNode(host, handlers));
      cluster.node("n" + i, host, service);
    }
  }

  private List<String> entries() {
    TreeSet<String> entries = new TreeSet<>();
    int count = 1 + random.nextInt(2);
    for (int i = 0; i < count; i++) {
      entries.add(ENTRIES.get(random.nextInt(ENTRIES.size())));
    }
    return new ArrayList<>(entries);
  }

  // The independent rule.

  private boolean fits(JsonNode pod, String nodeName) {
    KnownNode node = Objects.requireNonNull(nodes.get(nodeName));
    String name = pod.at("/metadata/name").asText();
    List<String> entries = Objects.requireNonNull(entriesOfPods.get(name));
    String service = pod.at("/spec/runtimeServiceName").asText("").equals("box") ? "box:" : "";
    String handler = node.handlers().get(service + pod.at("/spec/runtimeClassName").asText(""));
    return handler != null
        && runs(entries, handler)
        && isSelected(pod.at("/spec/nodeSelector"), nodeName, node.host());
  }

  private static boolean isSelected(JsonNode selector, String nodeName, String host) {
    String[] words = host.split("[/ ]", 3);
    Map<String, String> labels = new HashMap<>();
    labels.put("kubernetes.io/hostname", nodeName);
    labels.put("kubernetes.io/os", words[0]);
    labels.put("kubernetes.io/arch", words[1]);
    if (words.length == 3) {
      labels.put("node.kubernetes.io/windows-build", words[2]);
    }
    return selector.properties().stream()
        .allMatch(label -> label.getValue().asText().equals(labels.get(label.getKey())));
  }

  private static boolean runs(List<String> entries, String handler) {
    return entries.stream()
        .anyMatch(
            entry ->
                entry.startsWith("linux")
                    ? entry.equals(handler)
                    : handler.startsWith("windows") && runsWindows(entry, handler));
  }

  private static boolean runsWindows(String entry, String handler) {
    int build = Integer.parseInt(entry.split("\\.", -1)[2]);
    int host = Integer.parseInt(handler.split("[. ]", -1)[3]);
    if (handler.endsWith("hyperv")) {
      return build <= host;
    }
    return host < 20348 ? build == host : build >= 20348 && build <= host;
  }
}

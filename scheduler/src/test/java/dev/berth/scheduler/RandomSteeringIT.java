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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Random pods on random nodes through admission, registry and scheduler: none is bound to a node
/// that cannot run its image, none waits that a node could run, and none is refused that one could.
/// The rule for what runs is written here again, on texts.
final class RandomSteeringIT {
  private static final long SEED = 1301;
  private static final int PODS = 400;
  private static final int NODES = 120;

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
          "'nodeSelector':{'kubernetes.io/os':'windows'}");

  @TempDir private Path directory;

  private final Random random = new Random(SEED);
  private final Map<String, KnownNode> nodes = new HashMap<>();
  private final Map<String, List<String>> entriesOfPods = new HashMap<>();

  /// @param handlers the platform of each handler, with "" for the default
  private record KnownNode(String host, Map<String, String> handlers) {}

  @Test
  void podsAreBoundOnlyWhereTheirImagesRun() throws Exception {
    int refused = 0;
    try (IndexRegistry registry = new IndexRegistry();
        SteeredCluster cluster = new SteeredCluster(directory, CLASSES)) {
      join(cluster, EARLY_NODES);
      awaitNodesInAdmission(cluster, registry);
      for (int i = 0; i < PODS; i++) {
        List<String> entries = entries();
        String name = "p" + i;
        try {
          cluster.pod(name, registry.image(entries), CHOICES.get(random.nextInt(CHOICES.size())));
          entriesOfPods.put(name, entries);
        } catch (ClientException e) {
          assertThat(e).hasMessageContaining("has no entry for");
          assertThat(nodes.values())
              .as("pod %d with %s", i, entries)
              .noneMatch(node -> node.handlers().values().stream().anyMatch(h -> runs(entries, h)));
          refused++;
        }
      }
      join(cluster, NODES - EARLY_NODES);

      Await.untilAsserted(
          () ->
              assertThat(cluster.pods())
                  .allSatisfy(
                      pod ->
                          assertThat(pod.at("/spec/nodeName").asText().isEmpty())
                              .as("%s waits", pod.at("/metadata/name").asText())
                              .isEqualTo(
                                  nodes.keySet().stream().noneMatch(node -> fits(pod, node)))));
      assertBindings(cluster.pods(), refused);
    }
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

  private void assertBindings(List<ObjectNode> pods, int refused) {
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
    assertThat(refused).isGreaterThan(PODS / 100);
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
    String handler = node.handlers().get(pod.at("/spec/runtimeClassName").asText(""));
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

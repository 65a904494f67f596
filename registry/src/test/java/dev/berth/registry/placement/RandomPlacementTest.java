package dev.berth.registry.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.registry.placement.PlacementDecision.Choose;
import dev.berth.registry.placement.PlacementDecision.Fits;
import dev.berth.registry.placement.PlacementDecision.Narrow;
import dev.berth.registry.placement.PlacementDecision.Refuse;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.IndexEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Random clusters and pods: no pod may be placed on a node that cannot run its images, and none is
/// refused that a node could run. The rule for what runs is written a second time, on texts.
final class RandomPlacementTest {
  private static final int PODS = 10_000;
  private static final long SEED = 1801;

  private static final List<String> HOSTS =
      List.of(
          "linux/amd64",
          "linux/amd64",
          "linux/arm64",
          "linux/s390x",
          "windows/amd64 10.0.17763",
          "windows/amd64 10.0.20348",
          "windows/amd64 10.0.26100");
  private static final List<String> ENTRIES =
      List.of(
          "linux/amd64",
          "linux/amd64",
          "linux/arm64",
          "linux/s390x",
          "windows/amd64 10.0.17134.1",
          "windows/amd64 10.0.17763.805",
          "windows/amd64 10.0.17763.1069",
          "windows/amd64 10.0.20348.9",
          "windows/amd64 10.0.26100.9");
  private static final List<String> HANDLERS = List.of("one", "two", "hyper");

  private final Random random = new Random(SEED);

  /// What the test itself knows about a handler of a node: the platform, and whether under Hyper-V.
  private record KnownHandler(String platform, boolean hyperv) {}

  private record KnownNode(
      NodePlatforms reported, String disk, Map<String, KnownHandler> handlers) {}

  @Test
  void noPodIsPlacedWhereItsImagesCannotRun() {
    Map<String, Integer> kinds = new HashMap<>();
    for (int i = 0; i < PODS; i++) {
      List<KnownNode> nodes = nodes();
      String disk = random.nextInt(4) == 0 ? "ssd" : "";
      List<ImageEntries> images = images();
      List<CandidateClass> classes =
          HANDLERS.stream().filter(_ -> random.nextBoolean()).map(TestNodes::ofHandler).toList();

      // A pod without a selector allows all nodes, so that equal ones can be judged together.
      boolean isGrouped = disk.isEmpty() && random.nextBoolean();
      PlacementDecision decision =
          ImagePlacement.decide(
              new PlacementRequest(
                  "",
                  images,
                  new ClusterPlatforms(nodes.stream().map(KnownNode::reported).toList()),
                  new NodeRules(
                      node -> nodes.stream().anyMatch(known -> isAllowed(known, node, disk)),
                      node -> isGrouped || node.node().equals("n0"),
                      isGrouped ? Optional.of(Set.of()) : Optional.empty()),
                  () -> classes));

      List<KnownNode> allowed =
          nodes.stream().filter(node -> disk.isEmpty() || node.disk().equals(disk)).toList();
      check(i, decision, allowed, classes, images);
      kinds.merge(decision.getClass().getSimpleName(), 1, Integer::sum);
    }
    // Every kind of decision must be frequent for this test to mean something.
    assertThat(kinds).hasSize(4).allSatisfy((_, count) -> assertThat(count).isGreaterThan(300));
  }

  private static void check(
      int pod,
      PlacementDecision decision,
      List<KnownNode> allowed,
      List<CandidateClass> classes,
      List<ImageEntries> images) {
    switch (decision) {
      case Fits() -> assertRuns(pod, allowed, "", images);
      case Narrow(Map<String, String> selector) ->
          assertThat(assertRuns(pod, selected(allowed, selector), "", images)).isNotEmpty();
      case Choose choose -> {
        assertThat(allowed).noneMatch(node -> runsAll(node, "", images));
        List<KnownNode> offering =
            allowed.stream()
                .filter(node -> node.handlers().containsKey(choose.className()))
                .toList();
        assertThat(
                assertRuns(pod, selected(offering, choose.selector()), choose.className(), images))
            .isNotEmpty();
      }
      case Refuse _ -> {
        assertThat(allowed).as("pod %d", pod).noneMatch(node -> runsAll(node, "", images));
        for (CandidateClass candidate : classes) {
          assertThat(allowed)
              .as("pod %d class %s", pod, candidate.name())
              .noneMatch(node -> runsAll(node, candidate.handler(), images));
        }
      }
    }
  }

  private static List<KnownNode> assertRuns(
      int pod, List<KnownNode> nodes, String handler, List<ImageEntries> images) {
    assertThat(nodes).as("pod %d", pod).allMatch(node -> runsAll(node, handler, images));
    return nodes;
  }

  private static boolean isAllowed(KnownNode known, NodePlatforms node, String disk) {
    return known.reported().equals(node) && (disk.isEmpty() || known.disk().equals(disk));
  }

  private static List<KnownNode> selected(List<KnownNode> nodes, Map<String, String> selector) {
    return nodes.stream()
        .filter(node -> node.reported().labels().entrySet().containsAll(selector.entrySet()))
        .toList();
  }

  private List<ImageEntries> images() {
    List<ImageEntries> images = new ArrayList<>();
    int count = 1 + random.nextInt(2);
    for (int i = 0; i < count; i++) {
      Set<String> platforms = new HashSet<>();
      int entries = 1 + random.nextInt(4);
      for (int j = 0; j < entries; j++) {
        platforms.add(ENTRIES.get(random.nextInt(ENTRIES.size())));
      }
      images.add(TestNodes.image("image" + i, platforms.toArray(String[]::new)));
    }
    return images;
  }

  private List<KnownNode> nodes() {
    List<KnownNode> nodes = new ArrayList<>();
    int count = 1 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      nodes.add(node("n" + i));
    }
    return nodes;
  }

  private KnownNode node(String name) {
    String host = HOSTS.get(random.nextInt(HOSTS.size()));
    Map<String, KnownHandler> handlers = new HashMap<>(Map.of("", new KnownHandler(host, false)));
    List<String> names = new ArrayList<>();
    List<String> isolation = new ArrayList<>();
    List<String> platforms = new ArrayList<>();
    for (String handler : HANDLERS) {
      if (random.nextBoolean()) {
        continue;
      }
      names.add("'" + handler + "'");
      boolean hyperv = handler.equals("hyper") && host.startsWith("windows");
      String own = host;
      if (hyperv) {
        isolation.add("'hyper':'hyperv'");
      } else if (random.nextBoolean() && host.startsWith("linux")) {
        own = "linux/arm64";
        platforms.add("'%s':'linux/arm64'".formatted(handler));
      }
      handlers.put(handler, new KnownHandler(own, hyperv));
    }
    NodePlatforms reported =
        TestNodes.node(
            name,
            host,
            "'handlers':%s,'isolation':{%s},'platforms':{%s}"
                .formatted(names, String.join(",", isolation), String.join(",", platforms)));
    return new KnownNode(reported, random.nextBoolean() ? "ssd" : "hdd", handlers);
  }

  // The independent rule.

  private static boolean runsAll(KnownNode node, String handler, List<ImageEntries> images) {
    KnownHandler known = node.handlers().get(handler);
    return known != null && images.stream().allMatch(image -> runs(image, known));
  }

  private static boolean runs(ImageEntries image, KnownHandler handler) {
    for (IndexEntry entry : image.index().entries()) {
      String given = entry.platformIfKnown().map(ImagePlatform::toString).orElse("");
      if (given.startsWith("linux")
          ? given.equals(handler.platform())
          : runsWindows(given, handler)) {
        return true;
      }
    }
    return false;
  }

  private static boolean runsWindows(String given, KnownHandler handler) {
    if (!handler.platform().startsWith("windows")) {
      return false;
    }
    int build = Integer.parseInt(given.split("\\.", -1)[2]);
    int host = Integer.parseInt(handler.platform().split("\\.", -1)[2]);
    if (handler.hyperv()) {
      return build <= host;
    }
    return host < 20348 ? build == host : build >= 20348 && build <= host;
  }
}

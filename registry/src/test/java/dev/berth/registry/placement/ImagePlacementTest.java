package dev.berth.registry.placement;

import static dev.berth.registry.placement.TestNodes.image;
import static dev.berth.registry.placement.TestNodes.json;
import static dev.berth.registry.placement.TestNodes.node;
import static dev.berth.registry.placement.TestNodes.ofHandler;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.registry.placement.PlacementDecision.Choose;
import dev.berth.registry.placement.PlacementDecision.Fits;
import dev.berth.registry.placement.PlacementDecision.Narrow;
import dev.berth.registry.placement.PlacementDecision.Refuse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Where a pod's images run: the table of cases, and the messages.
final class ImagePlacementTest {
  private static final NodePlatforms AMD = node("amd", "linux/amd64", "");
  private static final NodePlatforms ARM = node("arm", "linux/arm64", "");
  private static final NodePlatforms W2019 = node("w2019", "windows/amd64 10.0.17763", "");
  private static final NodePlatforms W2022 = node("w2022", "windows/amd64 10.0.20348", "");
  private static final Map<String, NodePlatforms> NODES =
      Map.of("amd", AMD, "arm", ARM, "w2019", W2019, "w2022", W2022);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "linux/amd64 | amd | fits",
        "linux/amd64, linux/arm64 | amd arm | fits",
        "linux/amd64, linux/arm64 | amd arm w2019 | {kubernetes.io/os=linux}",
        "linux/arm64 | amd arm | {kubernetes.io/arch=arm64}",
        "linux/amd64 | amd arm w2019 | {kubernetes.io/arch=amd64, kubernetes.io/os=linux}",
        "windows/amd64 10.0.17763.805 | amd w2019 | {kubernetes.io/os=windows}",
        "windows/amd64 10.0.20348.1 | w2019 w2022 |"
            + " {kubernetes.io/os=windows, node.kubernetes.io/windows-build=10.0.20348}",
        "windows/amd64 10.0.17763.1, windows/amd64 10.0.20348.1 | amd w2019 w2022 |"
            + " {kubernetes.io/os=windows}",
        "linux/s390x | amd arm | refused",
        "windows/amd64 10.0.17134.1 | w2019 w2022 | refused",
      })
  void table(String platforms, String nodes, String expected) {
    PlacementDecision decision =
        decide(
            image("web", platforms.split(", ")),
            Arrays.stream(nodes.split(" ")).map(NODES::get).toList());

    String text =
        switch (decision) {
          case Fits() -> "fits";
          case Narrow(Map<String, String> selector) -> new TreeMap<>(selector).toString();
          case Choose choose -> choose.className();
          case Refuse _ -> "refused";
        };
    assertThat(text).isEqualTo(expected);
  }

  @Test
  void refusalNamesTheImageTheNodesAndThatNothingWouldDo() {
    PlacementDecision decision =
        decide(image("golang:1", "linux/s390x", "windows/amd64 10.0.17134.1"), List.of(AMD, W2019));

    assertThat(((Refuse) decision).reason())
        .isEqualTo(
            "image golang:1 has no entry for linux/amd64 or windows/amd64 10.0.17763; it has"
                + " linux/s390x, windows/amd64 10.0.17134.1; no node and no RuntimeClass of the"
                + " cluster could run it");
  }

  @Test
  void classWhoseHandlerRunsTheImageIsChosen() {
    String handlers =
        "'handlers':['process','windows-1809-hyperv'],"
            + "'isolation':{'windows-1809-hyperv':'hyperv'}";
    String host = "windows/amd64 10.0.17763";

    PlacementDecision decision =
        ImagePlacement.decide(
            TestNodes.request(
                List.of(image("golang:1", "windows/amd64 10.0.17134.1")),
                List.of(node("w1", host, handlers), node("w2", host, handlers), AMD),
                _ -> true,
                _ -> true,
                List.of(ofHandler("process"), ofHandler("windows-1809-hyperv"))));

    Choose choose = (Choose) decision;
    assertThat(choose.className()).isEqualTo("windows-1809-hyperv");
    assertThat(choose.selector()).isEmpty();
    assertThat(choose.reason())
        .isEqualTo(
            "image golang:1 has no entry for linux/amd64 or windows/amd64 10.0.17763; it has"
                + " windows/amd64 10.0.17134.1; RuntimeClass windows-1809-hyperv on nodes w1, w2"
                + " could run 10.0.17134");
  }

  @Test
  void classThatOnlySomeOfItsNodesCanServeIsNarrowed() {
    String handlers = "'handlers':['box'],'platforms':{'box':'linux/arm64'}";
    NodePlatforms emulated = node("a", "linux/amd64", handlers);
    NodePlatforms plain = node("b", "linux/s390x", "'handlers':['box']");

    PlacementDecision decision =
        ImagePlacement.decide(
            TestNodes.request(
                List.of(image("web", "linux/arm64")),
                List.of(emulated, plain),
                _ -> true,
                _ -> true,
                List.of(ofHandler("box"))));

    assertThat(((Choose) decision).selector())
        .containsExactlyEntriesOf(Map.of("kubernetes.io/arch", "amd64"));
  }

  @Test
  void imagesThatRunOnDifferentNodesOnlyAreRefusedTogether() {
    PlacementDecision decision =
        ImagePlacement.decide(
            TestNodes.request(
                List.of(image("one", "linux/amd64"), image("two", "linux/arm64")),
                List.of(AMD, ARM),
                _ -> true,
                _ -> true,
                List.of()));

    assertThat(((Refuse) decision).reason())
        .isEqualTo(
            "no node runs all images of the pod; image one runs on node amd; image two runs on node"
                + " arm; no node and no RuntimeClass of the cluster could run it");
  }

  @Test
  void nodesThatThePodExcludesAreNamed() {
    PlacementDecision decision =
        ImagePlacement.decide(
            TestNodes.request(
                List.of(image("web", "linux/arm64")),
                List.of(AMD, ARM),
                node -> node.node().equals("amd"),
                _ -> true,
                List.of()));

    assertThat(((Refuse) decision).reason())
        .isEqualTo(
            "image web has no entry for linux/amd64; it has linux/arm64; node arm could run"
                + " linux/arm64, which the pod's node name, node selector, affinity or system"
                + " excludes");
  }

  @Test
  void clusterWithoutKnownNodesRefusesNothing() {
    NodePlatforms unknown = NodePlatforms.parse(json("{'metadata':{'name':'new'}}"));

    assertThat(decide(image("web", "linux/arm64"), List.of())).isEqualTo(new Fits());
    assertThat(decide(image("web", "linux/arm64"), List.of(unknown))).isEqualTo(new Fits());
    assertThat(decide(image("web", "linux/amd64"), List.of(AMD, unknown)))
        .isInstanceOf(Narrow.class);
  }

  @Test
  void nodesWhoseTaintsAreToleratedArePreferred() {
    PlacementDecision decision =
        ImagePlacement.decide(
            TestNodes.request(
                List.of(image("web", "linux/amd64", "windows/amd64 10.0.17763.1")),
                List.of(AMD, ARM, W2019, W2022, node("w2", "windows/amd64 10.0.17763", "")),
                _ -> true,
                node -> !node.node().startsWith("w"),
                List.of()));

    assertThat(((Narrow) decision).selector())
        .isEqualTo(Map.of("kubernetes.io/os", "linux", "kubernetes.io/arch", "amd64"));
  }

  @Test
  void oneNodeOfEachKindIsLookedAtAndNoClass() {
    List<NodePlatforms> nodes = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      nodes.add(node("a" + i, "linux/amd64", ""));
      nodes.add(node("b" + i, "linux/arm64", ""));
    }
    AtomicInteger looks = new AtomicInteger();
    NodeRules rules =
        new NodeRules(_ -> looks.incrementAndGet() > 0, _ -> true, Optional.of(Set.of()));

    PlacementDecision decision =
        ImagePlacement.decide(
            new PlacementRequest(
                "",
                List.of(image("web", "linux/arm64")),
                new ClusterPlatforms(nodes),
                rules,
                () -> {
                  throw new AssertionError("classes are not needed");
                }));

    assertThat(decision).isEqualTo(new Narrow(Map.of("kubernetes.io/arch", "arm64")));
    assertThat(looks).hasValue(2);
  }

  @Test
  void labelsThatThePodSelectsTellNodesApart() {
    ObjectNode ssd =
        (ObjectNode)
            json(
                "{'metadata':{'name':'ssd','labels':{'disk':'ssd','kubernetes.io/os':'linux','kubernetes.io/arch':'amd64'}}}");
    NodeRules rules =
        new NodeRules(
            node -> "ssd".equals(node.labels().get("disk")),
            _ -> true,
            Optional.of(Set.of("disk")));

    PlacementDecision decision =
        ImagePlacement.decide(
            new PlacementRequest(
                "",
                List.of(image("web", "linux/arm64")),
                new ClusterPlatforms(List.of(AMD, ARM, NodePlatforms.parse(ssd))),
                rules,
                List::of));

    assertThat(((Refuse) decision).reason())
        .startsWith(
            "image web has no entry for linux/amd64; it has linux/arm64; node arm could run");
  }

  @Test
  void singleNodeIsNamedWhereItsEqualsRunSomethingElse() {
    String box = "'handlers':['box','']," + "'platforms':{'':'linux/arm64'}";
    NodePlatforms emulating = node("b", "linux/amd64", box);

    PlacementDecision decision =
        ImagePlacement.decide(
            new PlacementRequest(
                "",
                List.of(image("web", "linux/arm64")),
                new ClusterPlatforms(List.of(AMD, emulating)),
                new NodeRules(_ -> true, _ -> true, Optional.of(Set.of())),
                List::of));

    assertThat(decision).isEqualTo(new Narrow(Map.of("kubernetes.io/hostname", "b")));
  }

  @Test
  void nodeReportIsRead() {
    NodePlatforms node =
        NodePlatforms.parse(
            json(
                "{'metadata':{'name':'n','annotations':{'berth.dev/runtime-services':'broken'}},"
                    + "'status':{'nodeInfo':{'operatingSystem':'windows','architecture':'amd64',"
                    + "'kernelVersion':'10.0.17763.805'},'runtimeHandlers':[{'name':'a'}]}}"));

    assertThat(node.targets("a")).hasToString("[windows/amd64 10.0.17763]");
    assertThat(node.targets("")).hasToString("[windows/amd64 10.0.17763]");
    assertThat(node.offers("b")).isFalse();
  }

  private static PlacementDecision decide(ImageEntries image, List<NodePlatforms> nodes) {
    return ImagePlacement.decide(
        TestNodes.request(List.of(image), nodes, _ -> true, _ -> true, List.of()));
  }
}

package dev.berth.registry.placement;

import static dev.berth.registry.placement.TestNodes.json;
import static dev.berth.registry.placement.TestNodes.node;
import static dev.berth.registry.placement.TestNodes.ofHandler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.registry.platforms.ImagePlatform;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What could run an image, in one sentence for everybody.
final class PlatformOffersTest {
  private static final String HYPER = "'handlers':['hyper'],'isolation':{'hyper':'hyperv'}";
  private static final List<NodePlatforms> NODES =
      List.of(
          node("w2", "windows/amd64 10.0.17763", HYPER),
          node("w1", "windows/amd64 10.0.17763", HYPER),
          node("w3", "windows/amd64 10.0.20348", HYPER),
          node("emu", "linux/amd64", "'handlers':['box'],'platforms':{'box':'linux/arm64'}"),
          node("arm", "linux/arm64", "'handlers':['box']"));
  private static final List<CandidateClass> CLASSES =
      List.of(
          ofHandler("box"),
          ofHandler("hyper"),
          new CandidateClass("no-node", "hyper", Map.of("disk", "ssd")));

  @Test
  void classesWithMostNodesComeFirstAndNodesWithoutAClassLast() {
    assertThat(
            remedy(PlatformOffers.of(NODES, CLASSES), "windows/amd64 10.0.17134.1", "linux/arm64"))
        .isEqualTo(
            "RuntimeClass hyper on nodes w1, w2, w3 could run 10.0.17134; RuntimeClass box on nodes"
                + " arm, emu could run linux/arm64; node arm could run linux/arm64");
    assertThat(remedy(PlatformOffers.of(NODES, CLASSES), "linux/s390x"))
        .isEqualTo("no node and no RuntimeClass of the cluster could run it");
  }

  @Test
  void longListsAreCut() {
    List<NodePlatforms> many = new ArrayList<>();
    for (int i = 10; i < 30; i++) {
      many.add(node("n" + i, i % 2 == 0 ? "linux/amd64" : "linux/arm64", ""));
    }

    assertThat(remedy(PlatformOffers.of(many, List.of()), "linux/amd64", "linux/arm64"))
        .isEqualTo("nodes n10, n11, n12, n13, n14 and 15 more could run linux/amd64, linux/arm64");
  }

  @Test
  void agentReadsWhatTheControlPlanePublishes() {
    PlatformOffers offers = PlatformOffers.of(NODES, CLASSES);

    PlatformOffers read = PlatformOffers.parse(offers.toJson());

    assertThat(read.toJson()).isEqualTo(offers.toJson());
    for (String entry : List.of("windows/amd64 10.0.17134.1", "linux/arm64", "linux/amd64")) {
      assertThat(remedy(read, entry)).isEqualTo(remedy(offers, entry)).contains("could run");
    }
    assertThat(
            PlatformOffers.parse(json("[{'platforms':[{'platform':'?'}],'nodes':['a']},1,{}]"))
                .toJson())
        .isEmpty();
  }

  @Test
  void excludedNodesAreNamedOnlyWhenNothingElseWouldDo() {
    PlatformOffers arm = PlatformOffers.of(NODES.subList(4, 5), List.of());
    PlatformOffers none = new PlatformOffers();
    ImageRemedy remedy = new ImageRemedy(platforms("linux/arm64"));

    assertThat(remedy.of(arm, arm)).isEqualTo("node arm could run linux/arm64");
    assertThat(remedy.of(none, arm))
        .isEqualTo(
            "node arm could run linux/arm64, which the pod's node name, node selector, affinity or"
                + " system excludes");
  }

  @Test
  void allImagesOfAPodMustRun() {
    ImageRemedy both =
        new ImageRemedy(
            List.of(platforms("linux/arm64"), platforms("linux/arm64", "linux/amd64")),
            platforms("linux/arm64"));

    assertThat(both.ofAll(PlatformOffers.of(NODES, CLASSES)))
        .isEqualTo(
            "RuntimeClass box on nodes arm, emu could run linux/arm64; node arm could run"
                + " linux/arm64");
  }

  private static String remedy(PlatformOffers offers, String... image) {
    return new ImageRemedy(platforms(image)).ofAll(offers);
  }

  private static List<ImagePlatform> platforms(String... texts) {
    return Stream.of(texts)
        .map(text -> ImagePlatform.parseWithVersion(text).orElseThrow())
        .toList();
  }
}

package dev.berth.scheduler.placement;

import static dev.berth.scheduler.model.TestObjects.node;
import static dev.berth.scheduler.model.TestObjects.nodeTree;
import static dev.berth.scheduler.model.TestObjects.pod;
import static dev.berth.scheduler.model.TestObjects.service;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.RuntimeClassInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Which of several nodes that all do is taken.
final class PreferencesTest {
  private static final String BOTH = service("containerd", "container", "runc,runsc", true);

  private final ClusterState cluster = new ClusterState();

  @BeforeEach
  void classes() {
    cluster.putClass(new RuntimeClassInfo("gvisor", "runsc"));
    cluster.putClass(new RuntimeClassInfo("plain", "runc"));
  }

  @Test
  void aScarceRuntimeIsKeptForThoseWhoNeedIt() {
    cluster.putNode(node("a-scarce", BOTH));
    cluster.putNode(node("b-plain", service("containerd", "container", "runc", true)));

    assertThat(chosen(pod("p", "'runtimeClassName':'plain'"))).isEqualTo("b-plain");
    assertThat(chosen(pod("q", "'runtimeClassName':'gvisor'"))).isEqualTo("a-scarce");
  }

  @Test
  void anImageCountsOnlyForTheHandlerThatCanUseIt() {
    putNodeWithImages("a-other", "{\"runsc\":[]}");
    putNodeWithImages("b-usable", "{\"runsc\":[\"docker.io/library/web:1\"]}");

    assertThat(chosen(pod("p", "'runtimeClassName':'gvisor'"))).isEqualTo("b-usable");
  }

  @Test
  void shortNamesOfImagesMeanTheSameAsLongOnes() {
    cluster.putNode(node("a-empty", BOTH));
    putNodeWithImages("b-present", "{}");

    assertThat(chosen(pod("p", "'runtimeClassName':'gvisor'"))).isEqualTo("b-present");
  }

  private void putNodeWithImages(String name, String byHandler) {
    ObjectNode tree = nodeTree(name, BOTH);
    tree.withObject("/status")
        .putArray("images")
        .addObject()
        .putArray("names")
        .add("docker.io/library/web:1");
    tree.withObject("/metadata/annotations").put("berth.dev/images-by-handler", byHandler);
    cluster.putNode(NodeInfo.parse(tree));
  }

  private String chosen(PodInfo pod) {
    return switch (new NodePlacer(cluster).place(pod)) {
      case PlacementDecision.Chosen(var node, _) -> node.name();
      case PlacementDecision.Refused(var refusal) -> throw new AssertionError(refusal.message());
    };
  }
}

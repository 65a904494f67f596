package dev.berth.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pods of a steered namespace stay off nodes that cannot run their images, whenever these join.
final class SteeredPlacementIT {
  @TempDir private Path directory;

  @Test
  void nodeThatJoinsLaterDoesNotGetAPodWhoseImageItCannotRun() throws Exception {
    try (IndexRegistry registry = new IndexRegistry();
        SteeredCluster cluster = new SteeredCluster(directory, List.of())) {
      cluster.node("amd", "linux/amd64", "'handlers':['runc']");
      cluster.patchNode("amd", "{'spec':{'unschedulable':true}}");
      String image = registry.image(List.of("linux/amd64"));
      // Every node runs it, so that admission has nothing to narrow.
      assertThat(cluster.pod("web", image, "").at("/spec/nodeSelector").isMissingNode()).isTrue();
      cluster.node("arm", "linux/arm64", "'handlers':['runc']");

      // A node that does not fit wakes no pod; another pod shows that the scheduler knows the node.
      cluster.pod("later", image, "'nodeSelector':{'kubernetes.io/os':'linux'}");
      Await.untilAsserted(
          () ->
              assertThat(cluster.condition("later"))
                  .startsWith("0/2 nodes are available: ")
                  .contains("1 node(s) were unschedulable")
                  .contains(
                      "1 node(s) can't run an image of the pod: image %s has no entry for linux/arm64;"
                              .formatted(image)
                          + " it has linux/amd64"));

      assertThat(cluster.nodeOf("web")).isEmpty();
      cluster.patchNode("amd", "{'spec':{'unschedulable':false}}");
      Await.untilAsserted(
          () ->
              assertThat(List.of(cluster.nodeOf("web"), cluster.nodeOf("later")))
                  .containsExactly("amd", "amd"));
    }
  }

  @Test
  void podWithAClassWaitsForANodeWhoseHandlerRunsItsImage() throws Exception {
    try (IndexRegistry registry = new IndexRegistry();
        SteeredCluster cluster = new SteeredCluster(directory, List.of("box"))) {
      cluster.node("amd", "linux/amd64", "'handlers':['box']");
      String image = registry.image(List.of("linux/arm64"));
      cluster.pod("web", image, "'runtimeClassName':'box'");

      Await.untilAsserted(
          () ->
              assertThat(cluster.condition("web"))
                  .isEqualTo(
                      "0/1 nodes are available: 1 node(s) can't run an image of the pod: image %s has"
                              .formatted(image)
                          + " no entry for linux/amd64; it has linux/arm64."));

      cluster.node(
          "emulated", "linux/amd64", "'handlers':['box'],'platforms':{'box':'linux/arm64'}");
      Await.untilAsserted(() -> assertThat(cluster.nodeOf("web")).isEqualTo("emulated"));
    }
  }
}

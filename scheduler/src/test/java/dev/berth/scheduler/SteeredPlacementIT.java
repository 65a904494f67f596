package dev.berth.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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
                          + " it has linux/amd64; node amd could run linux/amd64"));

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
                          + " no entry for linux/amd64; it has linux/arm64; no node and no"
                          + " RuntimeClass of the cluster could run it."));

      cluster.node(
          "emulated", "linux/amd64", "'handlers':['box'],'platforms':{'box':'linux/arm64'}");
      Await.untilAsserted(() -> assertThat(cluster.nodeOf("web")).isEqualTo("emulated"));
    }
  }

  @Test
  void oneSentenceNamesTheImageAllPlatformsAndTheClassThatWouldDo() throws Exception {
    try (IndexRegistry registry = new IndexRegistry();
        SteeredCluster cluster = new SteeredCluster(directory, List.of("box", "hyper"))) {
      String image = registry.image(List.of("windows/amd64 10.0.17134.1"));
      cluster.pod("web", image, "'runtimeClassName':'box','schedulingGates':[{'name':'nodes'}]");
      cluster.node("n1", "linux/amd64", "'handlers':['box']");
      cluster.node("n2", "linux/arm64", "'handlers':['box']");
      cluster.node(
          "w1", "windows/amd64 10.0.17763", "'handlers':['hyper'],'isolation':{'hyper':'hyperv'}");
      awaitNodes(cluster, 3);
      cluster.openGates("web");

      Await.untilAsserted(
          () ->
              assertThat(cluster.condition("web"))
                  .startsWith("0/3 nodes are available: ")
                  .contains(
                      ("2 node(s) can't run an image of the pod: image %s has no entry for linux/amd64"
                              + " or linux/arm64; it has windows/amd64 10.0.17134.1; RuntimeClass"
                              + " hyper on node w1 could run 10.0.17134")
                          .formatted(image)));
    }
  }

  @Test
  void serviceThatThePodNamesCounts() throws Exception {
    try (IndexRegistry registry = new IndexRegistry();
        SteeredCluster cluster = new SteeredCluster(directory, List.of())) {
      String box = "'handlers':[]},'box':{'workloadType':'container','handlers':[]";
      String image = registry.image(List.of("linux/s390x"));
      cluster.pod("web", image, "'runtimeServiceName':'box'");
      // The node runs the image, but not by this service.
      cluster.node("z", "linux/s390x", box + ",'platforms':{'':'linux/amd64'}");
      Await.untilAsserted(
          () -> assertThat(cluster.condition("web")).contains("has no entry for linux/amd64;"));

      cluster.node("emulating", "linux/amd64", box + ",'platforms':{'':'linux/s390x'}");
      Await.untilAsserted(() -> assertThat(cluster.nodeOf("web")).isEqualTo("emulating"));
    }
  }

  @Test
  void changedImageOfAWaitingPodCounts() throws Exception {
    try (IndexRegistry registry = new IndexRegistry();
        SteeredCluster cluster = new SteeredCluster(directory, List.of("box"))) {
      cluster.node("amd", "linux/amd64", "'handlers':['box']");
      cluster.pod("web", registry.image(List.of("linux/arm64")), "'runtimeClassName':'box'");
      Await.untilAsserted(
          () -> assertThat(cluster.condition("web")).contains("it has linux/arm64"));

      cluster.changeImage("web", registry.image(List.of("linux/amd64")));

      Await.untilAsserted(() -> assertThat(cluster.nodeOf("web")).isEqualTo("amd"));
    }
  }

  /// Waits until the scheduler knows the nodes: a node that cannot help wakes no pod, so that a pod
  /// which was tried too early would keep the sentence about fewer nodes.
  private static void awaitNodes(SteeredCluster cluster, int count) {
    AtomicInteger tries = new AtomicInteger();
    Await.untilAsserted(
        () -> {
          String name = "probe-" + tries.incrementAndGet();
          cluster.pod(name, "probe:1", "'nodeSelector':{'no':'node'}");
          Await.untilAsserted(() -> assertThat(cluster.condition(name)).isNotEmpty());
          assertThat(cluster.condition(name)).startsWith("0/%d nodes".formatted(count));
        });
  }
}

package dev.berth.scheduler.placement;

import static dev.berth.scheduler.model.TestObjects.node;
import static dev.berth.scheduler.model.TestObjects.requests;
import static dev.berth.scheduler.model.TestObjects.service;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ObjectKey;
import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.RuntimeClassInfo;
import dev.berth.scheduler.model.TestObjects;
import dev.berth.scheduler.rules.RuleClock;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/// The search by shape and the one node by node, under random changes of the cluster.
final class ShapesAgreeTest {
  private static final String[] NODES = {
    "'spec':{}",
    "'spec':{'taints':[{'key':'k','effect':'NoSchedule'}]}",
    "'spec':{'taints':[{'key':'soft','effect':'PreferNoSchedule'}]}",
    "'metadata':{'labels':{'zone':'a'}}",
    "'metadata':{'labels':{'kubernetes.io/arch':'arm64'}}",
    "'status':{'images':[{'names':['web:1']}]}",
    "'status':{'allocatable':{'cpu':'16','memory':'16Gi'}}",
    "'status':{'allocatable':{'pods':'3'}}",
    service("sandbox", "container", "runsc,runc", true),
    service("sandbox", "container", "runsc,runc", false),
    service("containerd", "container", "runc", true)
  };
  private static final String[] PODS = {
    "",
    ",'nodeSelector':{'zone':'a'}",
    ",'tolerations':[{'key':'k','operator':'Exists'}]",
    ",'runtimeClassName':'gvisor','overhead':{'cpu':'100m'}",
    ",'affinity':{'nodeAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':[{'weight':5,'preference':{'matchExpressions':[{'key':'zone','operator':'Exists'}]}}]}}"
  };

  private final ClusterState cluster = new ClusterState();
  private final NodePlacer placer = new NodePlacer(cluster);

  @RepeatedTest(40)
  void bothFindANodeOfTheSameScoreOrTheSameRefusal(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    cluster.putClass(new RuntimeClassInfo("gvisor", "runsc"));
    cluster.putClass(new RuntimeClassInfo("plain", "runc"));
    for (int step = 0; step < 400; step++) {
      change(random, step);
      if (cluster.size() > 0) {
        PodInfo pod = randomPod(random, "p" + step);
        check(
            pod,
            placer.place(pod),
            placer.explained(pod, placer.placeNodeByNode(pod, RuleClock.unread())));
      }
    }
  }

  private void check(PodInfo pod, PlacementDecision byShape, PlacementDecision byNode) {
    switch (byShape) {
      case PlacementDecision.Chosen(var node, double score) -> {
        assertThat(byNode).isInstanceOf(PlacementDecision.Chosen.class);
        assertThat(score)
            .isCloseTo(((PlacementDecision.Chosen) byNode).score(), Offset.offset(1e-9));
        cluster.putPod(pod, node.name());
      }
      case PlacementDecision.Refused(PlacementRefusal refusal) -> {
        assertThat(byNode).isInstanceOf(PlacementDecision.Refused.class);
        assertThat(refusal.message())
            .isEqualTo(((PlacementDecision.Refused) byNode).refusal().message());
      }
    }
  }

  private void change(Random random, int step) {
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> cluster.putNode(randomNode(random));
      case 3 -> cluster.removeNode("n" + random.nextInt(30));
      case 4, 5 -> cluster.removePod(new ObjectKey("default", "p" + random.nextInt(step + 1)));
      case 6 ->
          cluster.putClass(
              new RuntimeClassInfo("gvisor", random.nextInt(4) > 0 ? "runsc" : "other"));
      default -> {
        // Only a pod comes.
      }
    }
  }

  private static NodeInfo randomNode(Random random) {
    return node("n" + random.nextInt(30), NODES[random.nextInt(NODES.length)]);
  }

  private static PodInfo randomPod(Random random, String name) {
    var tree =
        TestObjects.podTree(
            name,
            requests(random.nextInt(5) * 400, random.nextInt(4) * 700)
                + PODS[random.nextInt(PODS.length)]);
    if (random.nextBoolean()) {
      tree.withObject("/metadata")
          .putArray("ownerReferences")
          .addObject()
          .put("controller", true)
          .put("uid", "owner-" + random.nextInt(2));
    }
    if (random.nextInt(4) == 0) {
      tree.withObject("/metadata/annotations")
          .put("berth.dev/image-platforms", "{\"web:1\":[\"linux/arm64\"]}");
    }
    return PodInfo.parse(tree);
  }
}

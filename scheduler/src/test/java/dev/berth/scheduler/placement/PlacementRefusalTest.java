package dev.berth.scheduler.placement;

import static dev.berth.scheduler.model.TestObjects.node;
import static dev.berth.scheduler.model.TestObjects.pod;
import static dev.berth.scheduler.model.TestObjects.requests;
import static dev.berth.scheduler.model.TestObjects.service;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.RefusalCause;
import dev.berth.scheduler.model.RuntimeClassInfo;
import org.junit.jupiter.api.Test;

/// The words of FailedScheduling.
final class PlacementRefusalTest {
  private final ClusterState cluster = new ClusterState();

  private PlacementRefusal refusal(PodInfo pod) {
    return switch (new NodePlacer(cluster).place(pod)) {
      case PlacementDecision.Refused(PlacementRefusal refusal) -> refusal;
      case PlacementDecision.Chosen(var node, _) -> throw new AssertionError("placed on " + node);
    };
  }

  @Test
  void namesTheClassAndCountsNodesByReason() {
    cluster.putClass(new RuntimeClassInfo("gvisor", "runsc"));
    for (int i = 0; i < 10; i++) {
      String services =
          i < 5
              ? service("sandbox", "container", "runsc", true)
              : i < 8
                  ? service("containerd", "container", "runc", true)
                  : service("sandbox", "container", "runsc", false);
      cluster.putNode(node("n" + i, services));
    }

    assertThat(refusal(pod("p", requests(10, 100_000) + ",'runtimeClassName':'gvisor'")).message())
        .isEqualTo(
            "0/10 nodes are available: 2 node(s) have handler runsc but its runtime service is not"
                + " ready, 3 node(s) don't offer RuntimeClass \"gvisor\" (handler runsc), 5"
                + " Insufficient memory.");
  }

  @Test
  void aMissingClassIsToldWithoutLookingAtNodes() {
    cluster.putNode(node("n"));
    cluster.putClass(new RuntimeClassInfo("plain", "runc"));
    cluster.putClass(new RuntimeClassInfo("kata", "kata-qemu"));

    PlacementRefusal refusal = refusal(pod("p", "'runtimeClassName':'gvisor'"));

    assertThat(refusal.message())
        .isEqualTo(
            "0/1 nodes are available: RuntimeClass \"gvisor\" not found. Create it, or correct"
                + " spec.runtimeClassName; RuntimeClasses: kata, plain.");
    assertThat(refusal.causes()).containsExactly(RefusalCause.CLASS_MISSING);
  }

  @Test
  void aHandlerOrServiceThatNoNodeHasIsToldWithWhatThereIsAndWhere() {
    cluster.putClass(new RuntimeClassInfo("gvisor", "runcs"));
    cluster.putNode(node("a", service("containerd", "container", "runc", true)));
    cluster.putNode(node("b", service("containerd", "container", "runc", true)));
    cluster.putNode(node("c", service("kata", "container", "kata-qemu", true)));

    assertThat(refusal(pod("p", "'runtimeClassName':'gvisor'")).message())
        .isEqualTo(
            "0/3 nodes are available: 3 node(s) don't offer RuntimeClass \"gvisor\" (handler runcs)."
                + " Correct the handler of the RuntimeClass, or configure it in a runtime; handlers:"
                + " kata-qemu on c, runc on 2 nodes, such as a.");
    assertThat(refusal(pod("p", "'runtimeServiceName':'cotainerd'")).message())
        .isEqualTo(
            "0/3 nodes are available: 3 node(s) don't have runtime service \"cotainerd\" for workload"
                + " type container. Correct spec.runtimeServiceName, or add the service with `berth"
                + " runtimes add`; runtime services: containerd on 2 nodes, such as a, kata on c.");
  }

  @Test
  void withoutNodesThereIsNothingToCount() {
    assertThat(refusal(pod("p", "")).message()).isEqualTo("no nodes available to schedule pods");
  }

  @Test
  void aPodThatNamesItsNodeIsNotTriedElsewhere() {
    cluster.putNode(node("a"));
    cluster.putNode(node("b", "'spec':{'unschedulable':true}"));
    cluster.putNode(node("c"));
    PodInfo pod =
        pod(
            "p",
            "'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':[{'matchFields':[{'key':'metadata.name','operator':'In','values':['b']}]}]}}}");

    assertThat(refusal(pod).message())
        .isEqualTo(
            "0/3 nodes are available: 1 node(s) were unschedulable, 2 node(s) didn't match Pod's"
                + " node affinity/selector.");
  }
}

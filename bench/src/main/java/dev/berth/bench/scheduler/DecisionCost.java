package dev.berth.bench.scheduler;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.model.NodeInfo;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.RuntimeClassInfo;
import dev.berth.scheduler.placement.NodePlacer;
import dev.berth.scheduler.placement.PlacementDecision;

/// Measures the cost of choosing a node and of counting the pod there, in memory. Requests to the
/// API server are not part of it: this is the upper bound of the scheduler's rate.
///
/// All nodes have one shape here, which is the best case of the search. Mixed clusters cost a step
/// for each shape.
final class DecisionCost {
  // Fewer pods than the smallest cluster of the table has room for would end in refusals: 100 nodes
  // with 110 pods take 11,000, so that the last ones of that size measure refusals too.
  private static final int DECISIONS = 20_000;

  private DecisionCost() {}

  /// The cost at one number of nodes.
  record Row(int nodes, double micros) {}

  static Row measure(int nodes) {
    // The first run is the warm-up of the compilers.
    run(nodes);
    return new Row(nodes, run(nodes));
  }

  /// Chooses nodes for all pods and counts each pod on its node, so that the state changes as in a
  /// real cluster.
  private static double run(int nodes) {
    ClusterState cluster = new ClusterState();
    cluster.putClass(RuntimeClassInfo.parse(BenchObjects.runtimeClass()));
    for (int i = 0; i < nodes; i++) {
      cluster.putNode(NodeInfo.parse(BenchObjects.node(i)));
    }
    // Parsed before the clock starts: a scheduler parses on the threads of its watches.
    PodInfo[] pods = new PodInfo[DECISIONS];
    for (int i = 0; i < DECISIONS; i++) {
      var tree = BenchObjects.pod("p" + i);
      // The fields that admission adds from the RuntimeClass.
      tree.withObject("/spec")
          .set("overhead", BenchObjects.runtimeClass().at("/overhead/podFixed"));
      tree.withObject("/spec")
          .set("nodeSelector", BenchObjects.runtimeClass().at("/scheduling/nodeSelector"));
      tree.withObject("/spec")
          .set("tolerations", BenchObjects.runtimeClass().at("/scheduling/tolerations"));
      pods[i] = PodInfo.parse(tree);
    }
    NodePlacer placer = new NodePlacer(cluster);
    long start = System.nanoTime();
    int placed = 0;
    for (PodInfo pod : pods) {
      if (placer.place(pod) instanceof PlacementDecision.Chosen(var node, _)) {
        cluster.putPod(pod, node.name());
        placed++;
      }
    }
    double micros = (System.nanoTime() - start) / 1e3 / DECISIONS;
    if (placed == 0) {
      throw new IllegalStateException("no pod was placed");
    }
    return micros;
  }
}

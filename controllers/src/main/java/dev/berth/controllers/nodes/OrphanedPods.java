package dev.berth.controllers.nodes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.PodPhase;
import dev.berth.client.ApiException;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Informer;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectPatch;
import dev.berth.client.ReconcileLoop;
import dev.berth.client.ReconcileLoop.Outcome;
import dev.berth.client.ReconcileLoop.Readiness;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.client.WorkQueue;
import dev.berth.controllers.loops.ControllerContext;
import dev.berth.controllers.loops.ControllerLoop;
import dev.berth.controllers.workloads.PodCache;
import dev.berth.controllers.workloads.WorkloadPod;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removes pods whose node was deleted. No agent is left to end them: they would stay Running or
/// Terminating forever.
public final class OrphanedPods implements ControllerLoop {
  private static final Logger log = LoggerFactory.getLogger(OrphanedPods.class);

  /// Grace period: a node that registers again in time keeps its pods.
  static final Duration PATIENCE = Duration.ofSeconds(40);

  private static final Duration BETWEEN_SWEEPS = Duration.ofSeconds(20);

  private final InstantSource clock;
  private final ResourceClient<ObjectNode> livePods;
  private final ResourceClient<ObjectNode> liveNodes;
  private final Informer<ObjectNode> nodes;
  private final PodCache pods;
  private final ReconcileLoop<String> loop;

  /// Since when each node with pods is missing. Confined to the only worker.
  private final Map<String, Instant> missed = new HashMap<>();

  /// @param nodes all nodes; they and the pods stay open when the loop is closed
  public OrphanedPods(ControllerContext context, Informer<ObjectNode> nodes, PodCache pods) {
    this.clock = context.clock();
    this.livePods = context.client().json(ResourceType.PODS);
    this.liveNodes = context.client().json(ResourceType.NODES);
    this.nodes = nodes;
    this.pods = pods;
    WorkQueue<String> queue = context.queue();
    queue.add("all");
    this.loop =
        ReconcileLoop.start(
            // The name in metrics; dashboards have it, so that it stays.
            "stranded-pods", queue, 1, Readiness.of(nodes, pods.informer()), _ -> sweep());
  }

  /// Checks the pods of all missing nodes. A missing node makes no event for its pods, so that this
  /// loop runs at intervals.
  private Outcome sweep() {
    Map<String, List<WorkloadPod>> stranded =
        pods.informer().list().stream()
            .filter(pod -> !pod.node().isEmpty())
            .filter(pod -> nodes.get(new ObjectKey("", pod.node())).isEmpty())
            // One pass over all pods in memory; only missing nodes cost requests.
            .collect(Collectors.groupingBy(WorkloadPod::node));
    Instant now = clock.instant();
    // A node that came back, or that has no pods any more, starts from zero the next time.
    missed.keySet().retainAll(Set.copyOf(stranded.keySet()));
    List<ApiException> refusals = new ArrayList<>();
    stranded.forEach(
        (node, there) -> {
          Instant since = missed.computeIfAbsent(node, _ -> now);
          if (!since.plus(PATIENCE).isAfter(now) && isGone(node)) {
            there.forEach(pod -> remove(pod, now, refusals));
          }
        });
    if (!refusals.isEmpty()) {
      throw refusals.getFirst();
    }
    return new Outcome.LookAgain(BETWEEN_SWEEPS);
  }

  /// Asks the server, because pods are lost for good here and the cache may be stale.
  private boolean isGone(String node) {
    return liveNodes.find(new ObjectKey("", node)).isEmpty();
  }

  /// The phase becomes Failed first, so that controllers that wait for the pod's end see it; a pod
  /// with finalizers stays in that phase.
  ///
  /// @param refusals collects refusals of the server: they must not delay the other pods
  private void remove(WorkloadPod pod, Instant now, List<ApiException> refusals) {
    try {
      if (!pod.isFinished()) {
        livePods.patch(pod.key(), ObjectPatch.strategic(failed(pod, now)), "status");
        log.info("pod of a deleted node removed pod={} node={}", pod.key(), pod.node());
      }
      livePods.delete(pod.key(), DeleteOptions.ofUid(pod.uid()).withGracePeriod(0));
    } catch (ApiException e) {
      // The pod is gone, or a new one has its name.
      if (!e.isNotFound() && !e.isConflict()) {
        refusals.add(e);
      }
    }
  }

  private static ObjectNode failed(WorkloadPod pod, Instant now) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").put("uid", pod.uid());
    patch
        .putObject("status")
        .put("phase", PodPhase.FAILED)
        .putArray("conditions")
        .addObject()
        .put("type", "DisruptionTarget")
        .put("status", "True")
        .put("reason", "DeletionByPodGC")
        .put("message", "PodGC: node no longer exists")
        .put("lastTransitionTime", now.truncatedTo(ChronoUnit.SECONDS).toString());
    return patch;
  }

  @Override
  public ReconcileLoop<?> workers() {
    return loop;
  }
}

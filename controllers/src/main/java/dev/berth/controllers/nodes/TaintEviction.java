package dev.berth.controllers.nodes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiException;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Informer;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectPatch;
import dev.berth.client.ReconcileLoop;
import dev.berth.client.ReconcileLoop.Outcome;
import dev.berth.client.ReconcileLoop.Readiness;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.client.WorkQueue;
import dev.berth.controllers.loops.ControllerContext;
import dev.berth.controllers.loops.ControllerEvents;
import dev.berth.controllers.loops.ControllerLoop;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Deletes pods from nodes with `NoExecute` taints when their tolerations expire.
///
/// The pods of a node are listed from the server only while the node has such a taint: a cache of
/// all pods would be too large for a rare case. When a node becomes unreachable its pods tolerate
/// that for five minutes, by the tolerations that admission adds to every pod.
public final class TaintEviction implements ControllerLoop {
  private static final String NAME = "taint-eviction-controller";

  /// Interval in which pods that are bound to the node later are noticed.
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(10);

  private final InstantSource clock;
  private final ControllerEvents recorder;
  private final ResourceClient<ObjectNode> pods;
  private final Informer<ObjectNode> nodes;
  private final WorkQueue<String> queue;
  private final ReconcileLoop<String> loop;

  /// The taints of each tainted node, and when each was first observed.
  private final Map<String, Map<String, Instant>> seen = new ConcurrentHashMap<>();

  /// @param nodes all nodes; stays open when the loop is closed
  public TaintEviction(ControllerContext context, Informer<ObjectNode> nodes) {
    this.clock = context.clock();
    this.recorder = new ControllerEvents(context, NAME);
    this.pods = context.client().json(ResourceType.PODS);
    this.nodes = nodes;
    this.queue = context.queue();
    nodes.addHandler(change -> consider(change.latest()));
    this.loop =
        ReconcileLoop.start("taint-eviction", queue, 2, Readiness.of(nodes), this::reconcile);
  }

  /// Queues a node that has such a taint, or had one: its record must go too.
  private void consider(ObjectNode node) {
    String name = node.path("metadata").path("name").asText();
    if (seen.containsKey(name) || isTainted(node)) {
      queue.add(name);
    }
  }

  private static boolean isTainted(JsonNode node) {
    return node.path("spec").path("taints").valueStream().anyMatch(NoExecuteTolerance::drivesAway);
  }

  private Outcome reconcile(String name) {
    Optional<ObjectNode> node = nodes.get(new ObjectKey("", name)).filter(TaintEviction::isTainted);
    if (node.isEmpty()) {
      seen.remove(name);
      return ReconcileLoop.SETTLED;
    }
    JsonNode taints = node.get().path("spec").path("taints");
    Instant now = clock.instant();
    Map<String, Instant> since = since(name, taints, now);
    Instant next = now.plus(BETWEEN_LOOKS);
    for (ObjectNode pod : pods.list(ListQuery.ALL.withFieldSelector("spec.nodeName=" + name))) {
      Optional<Instant> end =
          NoExecuteTolerance.end(pod, taints, taint -> since.getOrDefault(id(taint), now));
      if (end.isEmpty() || pod.path("metadata").has("deletionTimestamp")) {
        continue;
      }
      if (end.get().isAfter(now)) {
        // The earliest end decides when to look again.
        next = end.get().isBefore(next) ? end.get() : next;
      } else {
        evict(pod, now);
      }
    }
    return new Outcome.LookAgain(Duration.between(now, next));
  }

  /// The taint's `timeAdded` survives a restart of this process; not every taint has it.
  private Map<String, Instant> since(String node, JsonNode taints, Instant now) {
    Map<String, Instant> before = seen.getOrDefault(node, Map.of());
    Map<String, Instant> since = new ConcurrentHashMap<>();
    for (JsonNode taint : taints) {
      if (NoExecuteTolerance.drivesAway(taint)) {
        since.put(
            id(taint),
            NoExecuteTolerance.time(taint.path("timeAdded"))
                .orElseGet(() -> before.getOrDefault(id(taint), now)));
      }
    }
    seen.put(node, since);
    return since;
  }

  private static String id(JsonNode taint) {
    return taint.path("key").asText() + "=" + taint.path("value").asText();
  }

  /// Deletes a pod with its own grace period; the node's agent ends it if it still answers.
  private void evict(ObjectNode pod, Instant now) {
    JsonNode metadata = pod.path("metadata");
    ObjectKey key = pods.codec().key(pod);
    recorder.normal(
        pod,
        "TaintManagerEviction",
        "Marking for deletion Pod %s/%s".formatted(key.namespace(), key.name()));
    try {
      // The condition comes before the deletion: controllers of Jobs read it (KEP-3329).
      pods.patch(key, ObjectPatch.strategic(disrupted(metadata, now)), "status");
      pods.delete(key, DeleteOptions.ofUid(metadata.path("uid").asText()));
    } catch (ApiException e) {
      // The pod is gone, or a new one has its name.
      if (!e.isNotFound() && !e.isConflict()) {
        throw e;
      }
    }
  }

  private static ObjectNode disrupted(JsonNode metadata, Instant now) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").put("uid", metadata.path("uid").asText());
    patch
        .putObject("status")
        .putArray("conditions")
        .addObject()
        .put("type", "DisruptionTarget")
        .put("status", "True")
        .put("reason", "DeletionByTaintManager")
        .put("message", "Taint manager: deleting due to NoExecute taint")
        .put("lastTransitionTime", time(now));
    return patch;
  }

  private static String time(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  @Override
  public ReconcileLoop<?> workers() {
    return loop;
  }
}

package dev.berth.controllers.nodes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.Informer;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
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

/// Taints nodes by their conditions, and sets the conditions of nodes without a heartbeat to
/// Unknown.
///
/// A heartbeat is a change of the Lease or of the status. Its age is measured by this process's
/// clock from when it saw the change, so that clocks of nodes do not matter, and nodes get their
/// full time after a restart of the control plane.
public final class NodeLifecycle implements ControllerLoop {
  /// Silence after which a node counts as unreachable. Agents renew their Lease several times in
  /// this period, so that one lost renewal changes nothing.
  // Upstream's default was 40 s as well, and is 50 s since 1.32.
  static final Duration GRACE = Duration.ofSeconds(40);

  private static final String LEASES = "kube-node-lease";

  private final InstantSource clock;
  private final ControllerEvents recorder;
  private final ResourceClient<ObjectNode> nodes;
  private final Informer<ObjectNode> known;
  private final Informer<ObjectNode> leases;
  private final ReconcileLoop<String> loop;

  /// The last observed times of Lease and status of each node, and when they were observed.
  // Concurrent, because two workers use it; the queue gives one node to one worker at a time.
  private final Map<String, Seen> heartbeats = new ConcurrentHashMap<>();

  /// The nodes whose registration was reported, by name.
  // The last state is kept because the event about a removed node needs its UID.
  private final Map<String, ObjectNode> registered = new ConcurrentHashMap<>();

  private record Seen(String renewal, Instant at) {}

  /// @param known all nodes; stays open when the loop is closed
  public NodeLifecycle(ControllerContext context, Informer<ObjectNode> known) {
    this.clock = context.clock();
    this.recorder = new ControllerEvents(context, "node-controller");
    this.nodes = context.client().json(ResourceType.NODES);
    this.known = known;
    this.leases =
        context.informer(context.client().json(ResourceType.LEASES), ListQuery.inNamespace(LEASES));
    WorkQueue<String> queue = context.queue();
    known.addHandler(change -> queue.add(name(change.latest())));
    leases.addHandler(change -> queue.add(name(change.latest())));
    this.loop =
        ReconcileLoop.start(
            "node-lifecycle", queue, 2, Readiness.of(known, leases), this::reconcile);
  }

  private static String name(ObjectNode object) {
    return object.path("metadata").path("name").asText();
  }

  /// Judges one node, and looks again when its grace period would end: silence makes no event.
  private Outcome reconcile(String name) {
    Optional<ObjectNode> found = known.get(new ObjectKey("", name));
    if (found.isEmpty()) {
      heartbeats.remove(name);
      ObjectNode removed = registered.remove(name);
      if (removed != null) {
        recordEvent(removed, "RemovingNode", "Removing Node %s from Controller");
      }
      return ReconcileLoop.SETTLED;
    }
    ObjectNode before = registered.put(name, found.get());
    // A node that was deleted and registered again has another UID.
    if (before == null || !uid(before).equals(uid(found.get()))) {
      recordEvent(found.get(), "RegisteredNode", "Registered Node %s in Controller");
    }
    Instant now = clock.instant();
    Instant heartbeat = heartbeat(name, found.get(), now);
    Duration silence = Duration.between(heartbeat, now);
    boolean silent = silence.compareTo(GRACE) >= 0;
    ObjectNode node = found.get();
    if (silent) {
      Optional<ObjectNode> unknown = withUnknown(node, now);
      if (unknown.isPresent()) {
        boolean wasReady = isReady(node);
        // Conditions first: the taints below follow from them.
        node = nodes.update(unknown.get(), "status");
        if (wasReady) {
          recorder.normal(
              described(node),
              "NodeNotReady",
              "Node %s status is now: NodeNotReady".formatted(name));
        }
      }
    }
    ArrayNode taints = NodeTaints.of(node, now);
    if (!same(taints, node.path("spec").path("taints"))) {
      ObjectNode tainted = node.deepCopy();
      tainted.withObject("/spec").set("taints", taints);
      // An update and not a patch: the list of taints is atomic, and a conflict means that somebody
      // else changed it meanwhile.
      nodes.update(tainted);
    }
    return new Outcome.LookAgain(silent ? GRACE : GRACE.minus(silence));
  }

  private void recordEvent(ObjectNode node, String reason, String what) {
    recorder.normal(
        described(node),
        reason,
        "Node %s event: %s".formatted(name(node), what.formatted(name(node))));
  }

  /// The server omits the kind of the items of a list.
  private static ObjectNode described(ObjectNode node) {
    return node.deepCopy().put("apiVersion", "v1").put("kind", "Node");
  }

  private static String uid(ObjectNode node) {
    return node.path("metadata").path("uid").asText();
  }

  private static boolean isReady(ObjectNode node) {
    for (JsonNode condition : node.path("status").path("conditions")) {
      if (condition.path("type").asText().equals("Ready")) {
        return condition.path("status").asText().equals("True");
      }
    }
    return false;
  }

  /// Whether the taints are equal; a node without taints has no field.
  private static boolean same(ArrayNode taints, JsonNode present) {
    return taints.isEmpty() ? present.isEmpty() : taints.equals(present);
  }

  /// The time of the last observed heartbeat. The status counts like the lease: when a node
  /// recovers, its status may arrive before its lease, and the node must not become Unknown a
  /// second time.
  private Instant heartbeat(String name, ObjectNode node, Instant now) {
    String renewal =
        leases
                .get(new ObjectKey(LEASES, name))
                .map(lease -> lease.path("spec").path("renewTime").asText())
                .orElse("")
            + statusTime(node);
    if (renewal.isEmpty()) {
      // No agent ever reported for this node: a person created it, with a taint against pods.
      return now;
    }
    return heartbeats
        .merge(
            name,
            new Seen(renewal, now),
            // Only a changed value is a heartbeat; the time in it is the node's and may be wrong.
            (old, seen) -> old.renewal().equals(seen.renewal()) ? old : seen)
        .at();
  }

  private static String statusTime(ObjectNode node) {
    for (JsonNode condition : node.path("status").path("conditions")) {
      if (condition.path("type").asText().equals("Ready")) {
        return condition.path("lastHeartbeatTime").asText();
      }
    }
    return "";
  }

  /// The node with its conditions set to Unknown; empty when they already are.
  private static Optional<ObjectNode> withUnknown(ObjectNode node, Instant now) {
    ObjectNode copy = node.deepCopy();
    boolean changed = false;
    ArrayNode conditions = copy.withArray("/status/conditions");
    boolean hasReady = false;
    for (JsonNode condition : conditions) {
      String type = condition.path("type").asText();
      hasReady |= type.equals("Ready");
      if (isAgents(type) && !condition.path("status").asText().equals("Unknown")) {
        mark((ObjectNode) condition, now);
        changed = true;
      }
    }
    if (!hasReady) {
      mark(conditions.addObject().put("type", "Ready"), now);
      changed = true;
    }
    return changed ? Optional.of(copy) : Optional.empty();
  }

  /// Whether the agent reports the condition. Conditions that other programs report stay: their
  /// authors may still be alive.
  private static boolean isAgents(String type) {
    return type.equals("Ready") || type.endsWith("Pressure") || type.startsWith("RuntimeReady-");
  }

  private static void mark(ObjectNode condition, Instant now) {
    condition.put("status", "Unknown");
    condition.put("reason", "NodeStatusUnknown");
    condition.put("message", "Kubelet stopped posting node status.");
    condition.put("lastTransitionTime", now.truncatedTo(ChronoUnit.SECONDS).toString());
  }

  @Override
  public ReconcileLoop<?> workers() {
    return loop;
  }

  @Override
  public void close() {
    loop.close();
    leases.close();
  }
}

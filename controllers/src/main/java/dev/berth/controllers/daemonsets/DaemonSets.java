package dev.berth.controllers.daemonsets;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.PodRuntime;
import dev.berth.client.ApiClient;
import dev.berth.client.ClientException;
import dev.berth.client.Informer;
import dev.berth.client.InformerEvent;
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
import dev.berth.controllers.workloads.ControllerClaims;
import dev.berth.controllers.workloads.ManagingOwners;
import dev.berth.controllers.workloads.ObjectIdentity;
import dev.berth.controllers.workloads.PodCache;
import dev.berth.controllers.workloads.PodControl;
import dev.berth.controllers.workloads.WorkloadOwner;
import dev.berth.controllers.workloads.WorkloadPod;
import dev.berth.controllers.workloads.WorkloadStatusWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Keeps one pod of each DaemonSet on every node that fits.
///
/// The controller does not bind pods: it names the node in the affinity of each pod, and the
/// scheduler binds it, so that ports and resources are checked in one place (upstream's way since
/// 1.12).
public final class DaemonSets implements ControllerLoop {
  static final String HASH = "controller-revision-hash";

  /// When to check again if the cache has not shown a requested change; the change itself queues
  /// the set earlier.
  private static final Duration CACHE_CATCHES_UP = Duration.ofSeconds(10);

  private final ResourceClient<ObjectNode> sets;
  private final Informer<ObjectNode> known;
  private final Informer<ObjectNode> nodes;
  private final Informer<ObjectNode> classes;
  private final DaemonSetRevisions revisions;
  private final PodCache pods;
  private final PodControl podControl;
  private final ControllerClaims claims;
  private final ApiClient client;
  private final InstantSource clock;
  private final WorkQueue<ObjectKey> queue;
  private final ReconcileLoop<ObjectKey> loop;

  /// @param nodes all nodes
  /// @param pods both stay open when the loop is closed
  public DaemonSets(ControllerContext context, Informer<ObjectNode> nodes, PodCache pods) {
    this.sets = context.client().json(ResourceType.DAEMON_SETS);
    this.known = context.informer(sets, ListQuery.ALL);
    this.classes =
        context.informer(context.client().json(ResourceType.RUNTIME_CLASSES), ListQuery.ALL);
    this.nodes = nodes;
    this.revisions = new DaemonSetRevisions(context);
    this.pods = pods;
    this.podControl =
        new PodControl(context, pods, new ControllerEvents(context, "daemonset-controller"));
    this.claims = new ControllerClaims(context.client(), ResourceType.PODS);
    this.client = context.client();
    this.clock = context.clock();
    this.queue = context.queue();
    known.addHandler(change -> queue.add(sets.codec().key(change.latest())));
    nodes.addHandler(this::nodeChanged);
    classes.addHandler(_ -> all());
    revisions.informer().addHandler(this::revisionChanged);
    pods.addHandler(this::podChanged);
    this.loop =
        ReconcileLoop.start(
            "daemon-sets",
            queue,
            2,
            Readiness.of(known, nodes, classes, revisions.informer(), pods.informer()),
            this::reconcile);
  }

  private void all() {
    known.list().forEach(set -> queue.add(sets.codec().key(set)));
  }

  /// Heartbeats change a node every few seconds; only changes of labels and of the specification
  /// matter here.
  private void nodeChanged(InformerEvent<ObjectNode> change) {
    if (change instanceof InformerEvent.Updated<ObjectNode>(ObjectNode before, ObjectNode now)
        && before.path("spec").equals(now.path("spec"))
        && before.path("metadata").path("labels").equals(now.path("metadata").path("labels"))) {
      return;
    }
    all();
  }

  /// Queues the set of a revision that somebody changed or deleted, so that it is made again.
  private void revisionChanged(InformerEvent<ObjectNode> change) {
    ManagingOwners.of(change, ObjectIdentity::of, ResourceType.DAEMON_SETS, known)
        .forEach(queue::add);
  }

  private void podChanged(InformerEvent<WorkloadPod> change) {
    ManagingOwners.of(change, WorkloadPod::identity, ResourceType.DAEMON_SETS, known)
        .forEach(queue::add);
  }

  /// Compares one set with its nodes, pods and revisions. A set that is being deleted only reports:
  /// the garbage collector ends its pods.
  private Outcome reconcile(ObjectKey key) {
    Optional<ObjectNode> set = known.get(key);
    if (set.isEmpty()) {
      return ReconcileLoop.SETTLED;
    }
    WorkloadOwner owner = WorkloadOwner.of(ResourceType.DAEMON_SETS, set.get());
    // An empty selector would claim every pod of the namespace; upstream ignores such a set too.
    if (owner.selector().isEverything()) {
      return ReconcileLoop.SETTLED;
    }
    if (!podControl.isCacheCurrent(owner)) {
      return new Outcome.LookAgain(CACHE_CATCHES_UP);
    }
    List<WorkloadPod> mine =
        claims.claim(owner, pods.candidates(owner.identity()), WorkloadPod::identity);
    List<ObjectNode> history = revisions.of(owner);
    return owner.identity().isBeingDeleted()
        ? report(owner, mine, lastHash(owner, history), false)
        : keep(owner, mine, history);
  }

  /// The template hash of a set that creates no pods any more.
  private static String lastHash(WorkloadOwner owner, List<ObjectNode> history) {
    return DaemonSetHistory.find(owner.tree(), history)
        .map(DaemonSetHistory::hashOf)
        .orElseGet(() -> DaemonSetHistory.hash(owner.tree()));
  }

  /// Acts for a set that is not being deleted: ensures its revision, pods and history.
  private Outcome keep(WorkloadOwner owner, List<WorkloadPod> mine, List<ObjectNode> history) {
    if (DaemonSetHistory.find(owner.tree(), history).isEmpty() && !owner.isLive(client)) {
      // Its revisions may be deleted before the cache shows that the set itself is being deleted.
      return ReconcileLoop.SETTLED;
    }
    ObjectNode current = revisions.current(owner, history);
    Outcome outcome = report(owner, mine, DaemonSetHistory.hashOf(current), true);
    revisions.forget(
        owner,
        history,
        current,
        mine.stream()
            .map(pod -> pod.identity().labels().getOrDefault(HASH, ""))
            .collect(Collectors.toSet()));
    return outcome;
  }

  /// Executes the plan and writes the observed status.
  private Outcome report(WorkloadOwner owner, List<WorkloadPod> mine, String hash, boolean act) {
    ObjectNode set = owner.tree();
    DaemonPlan.Observed observed = DaemonPlan.Observed.of(fits(set), mine);
    DaemonPlan.Rollout rollout = DaemonStrategy.of(set, hash, observed.wanted().size());
    Instant now = clock.instant();
    @Nullable ClientException failure =
        act ? act(owner, DaemonPlan.of(observed, rollout, now), rollout) : null;
    // The status is written even if an action failed, so that it shows what there is.
    WorkloadStatusWriter.write(sets, set, DaemonStatus.of(set, observed, rollout, now));
    if (failure != null) {
      throw failure;
    }
    return isWaiting(mine, rollout, now)
        ? new Outcome.LookAgain(DaemonPlan.BREATH)
        : ReconcileLoop.SETTLED;
  }

  /// How well each node fits, by name. With a missing RuntimeClass no node fits, and no existing
  /// pod is deleted: the class may come back.
  private Map<String, NodeFit> fits(ObjectNode set) {
    ObjectNode spec = NodeFit.tolerant(set.path("spec").path("template"));
    String name = PodRuntime.className(spec);
    Optional<ObjectNode> named = classes.get(new ObjectKey("", name));
    ObjectNode whole = named.map(one -> NodeFit.ofClass(spec, one)).orElse(spec);
    boolean isMissing = !name.isEmpty() && named.isEmpty();
    Map<String, NodeFit> fits = new HashMap<>();
    for (ObjectNode node : nodes.list()) {
      NodeFit fit = NodeFit.of(whole, node);
      fits.put(
          node.path("metadata").path("name").asText(), isMissing ? new NodeFit(false, true) : fit);
    }
    return fits;
  }

  private @Nullable ClientException act(
      WorkloadOwner owner, DaemonPlan plan, DaemonPlan.Rollout rollout) {
    try {
      plan.create().forEach(node -> podControl.create(owner, pod(owner, node, rollout.hash())));
      plan.delete().forEach(pod -> podControl.delete(owner, pod));
      return null;
    } catch (ClientException e) {
      return e;
    }
  }

  /// A node affinity for this one node: the scheduler binds the pod. Selectors have been checked
  /// already.
  private static ObjectNode pod(WorkloadOwner owner, String node, String hash) {
    ObjectNode pod = PodControl.fromTemplate(owner);
    pod.withObject("/metadata").withObject("/labels").put(HASH, hash);
    ObjectNode spec = NodeFit.tolerant(owner.tree().path("spec").path("template"));
    ObjectNode term = JsonNodeFactory.instance.objectNode();
    term.putArray("matchFields")
        .addObject()
        .put("key", "metadata.name")
        .put("operator", "In")
        .putArray("values")
        .add(node);
    spec.withObject("/affinity")
        .withObject("/nodeAffinity")
        .putObject("requiredDuringSchedulingIgnoredDuringExecution")
        .putArray("nodeSelectorTerms")
        .add(term);
    pod.set("spec", spec);
    return pod;
  }

  /// When time alone changes the plan: a pod becomes available, or the back-off of a finished pod
  /// ends.
  private static boolean isWaiting(
      List<WorkloadPod> mine, DaemonPlan.Rollout rollout, Instant now) {
    return mine.stream()
        .anyMatch(
            pod -> pod.isFinished() || (pod.isReady() && !pod.isAvailable(rollout.minimum(), now)));
  }

  @Override
  public ReconcileLoop<?> workers() {
    return loop;
  }

  @Override
  public void close() {
    loop.close();
    revisions.close();
    classes.close();
    known.close();
  }
}

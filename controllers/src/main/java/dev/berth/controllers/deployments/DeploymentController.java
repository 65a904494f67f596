package dev.berth.controllers.deployments;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.Informer;
import dev.berth.client.InformerEvent;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectPatch;
import dev.berth.client.ReconcileLoop;
import dev.berth.client.ReconcileLoop.Outcome;
import dev.berth.client.ReconcileLoop.Readiness;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.client.WorkQueue;
import dev.berth.controllers.deployments.DeploymentStatus.Seen;
import dev.berth.controllers.loops.ControllerContext;
import dev.berth.controllers.loops.ControllerEvents;
import dev.berth.controllers.loops.ControllerLoop;
import dev.berth.controllers.workloads.ControllerClaims;
import dev.berth.controllers.workloads.ManagingOwners;
import dev.berth.controllers.workloads.ObjectIdentity;
import dev.berth.controllers.workloads.PodCache;
import dev.berth.controllers.workloads.WorkloadOwner;
import dev.berth.controllers.workloads.WorkloadPod;
import dev.berth.controllers.workloads.WorkloadStatusWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Rolls out the latest template of each Deployment within the bounds of its strategy.
///
/// Each pass makes one step from the observed state; the change of a ReplicaSet starts the next
/// pass. Only ReplicaSets are written: their controller creates and deletes the pods.
public final class DeploymentController implements ControllerLoop {
  private final ApiClient client;
  private final ResourceClient<ObjectNode> deployments;
  private final Informer<ObjectNode> known;
  private final Informer<ObjectNode> sets;
  private final PodCache pods;
  private final RevisionReplicaSets revisionSets;
  private final ControllerClaims claims;
  private final InstantSource clock;
  private final WorkQueue<ObjectKey> queue;
  private final ReconcileLoop<ObjectKey> loop;

  /// @param sets all ReplicaSets
  /// @param pods both stay open when the loop is closed
  public DeploymentController(ControllerContext context, Informer<ObjectNode> sets, PodCache pods) {
    this.client = context.client();
    this.deployments = context.client().json(ResourceType.DEPLOYMENTS);
    this.known = context.informer(deployments, ListQuery.ALL);
    this.sets = sets;
    this.pods = pods;
    this.revisionSets =
        new RevisionReplicaSets(context, new ControllerEvents(context, "deployment-controller"));
    this.claims = new ControllerClaims(context.client(), ResourceType.REPLICA_SETS);
    this.clock = context.clock();
    this.queue = context.queue();
    known.addHandler(change -> queue.add(deployments.codec().key(change.latest())));
    sets.addHandler(this::setChanged);
    pods.addHandler(this::podChanged);
    this.loop =
        ReconcileLoop.start(
            "deployments", queue, 2, Readiness.of(known, sets, pods.informer()), this::reconcile);
  }

  private void setChanged(InformerEvent<ObjectNode> change) {
    ManagingOwners.of(change, ObjectIdentity::of, ResourceType.DEPLOYMENTS, known)
        .forEach(queue::add);
  }

  /// Only deletions of pods matter here: the Recreate strategy waits for the last one.
  private void podChanged(InformerEvent<WorkloadPod> change) {
    WorkloadPod pod = change.latest();
    if (change instanceof InformerEvent.Removed || pod.isFinished()) {
      ManagingOwners.managerOf(pod.identity(), ResourceType.REPLICA_SETS)
          .flatMap(sets::get)
          .flatMap(
              set -> ManagingOwners.managerOf(ObjectIdentity.of(set), ResourceType.DEPLOYMENTS))
          .ifPresent(queue::add);
    }
  }

  private Outcome reconcile(ObjectKey key) {
    Optional<ObjectNode> found = known.get(key);
    if (found.isEmpty()) {
      return ReconcileLoop.SETTLED;
    }
    WorkloadOwner owner = WorkloadOwner.of(ResourceType.DEPLOYMENTS, found.get());
    if (owner.selector().isEverything()) {
      return ReconcileLoop.SETTLED;
    }
    List<DeploymentRevision> all = claimed(owner);
    Optional<DeploymentRevision> latest = RevisionTemplates.find(owner.tree(), all);
    List<DeploymentRevision> old = without(all, latest);
    RolloutStrategy strategy = RolloutStrategy.of(owner.tree());
    Seen seen = new Seen(latest, old, false);
    if (!owner.identity().isBeingDeleted()) {
      // A new desired number is applied before the rollout goes on, in proportion to all revisions.
      boolean onlyScale =
          owner.tree().path("spec").path("paused").asBoolean()
              || DeploymentRollout.isScaling(strategy, all);
      seen = onlyScale ? scale(owner, strategy, seen) : rollOut(owner, strategy, seen);
    }
    return report(owner, strategy, seen);
  }

  /// The ReplicaSets of the Deployment after adoption and release.
  private List<DeploymentRevision> claimed(WorkloadOwner owner) {
    String namespace = owner.identity().key().namespace();
    List<ObjectNode> candidates =
        sets.list().stream()
            .filter(set -> set.path("metadata").path("namespace").asText().equals(namespace))
            .toList();
    return claims.claim(owner, candidates, ObjectIdentity::of).stream()
        .map(DeploymentRevision::of)
        .toList();
  }

  private static List<DeploymentRevision> without(
      List<DeploymentRevision> all, Optional<DeploymentRevision> latest) {
    List<DeploymentRevision> others = new ArrayList<>(all);
    latest.ifPresent(others::remove);
    return others;
  }

  /// Applies the desired number without a rollout: the Deployment is paused, or its number has
  /// changed.
  private Seen scale(WorkloadOwner owner, RolloutStrategy strategy, Seen seen) {
    Map<DeploymentRevision, Integer> plan =
        DeploymentRollout.scale(strategy, seen.latest(), seen.old());
    return apply(owner, strategy, seen, plan, true);
  }

  /// @param mark whether the annotation with the desired number is also updated in sets whose
  ///   number does not change
  private Seen apply(
      WorkloadOwner owner,
      RolloutStrategy strategy,
      Seen seen,
      Map<DeploymentRevision, Integer> plan,
      boolean mark) {
    List<DeploymentRevision> old = new ArrayList<>();
    for (DeploymentRevision one : seen.old()) {
      old.add(applied(owner, strategy, one, plan, mark));
    }
    return new Seen(
        seen.latest().map(one -> applied(owner, strategy, one, plan, mark)), old, seen.madeNow());
  }

  private DeploymentRevision applied(
      WorkloadOwner owner,
      RolloutStrategy strategy,
      DeploymentRevision one,
      Map<DeploymentRevision, Integer> plan,
      boolean mark) {
    int replicas = plan.getOrDefault(one, one.replicas());
    boolean concerned = plan.containsKey(one) || (mark && one.isActive());
    return concerned ? revisionSets.scale(owner, one, replicas, strategy) : one;
  }

  /// Makes one step of a rollout: removes old pods for Recreate, or makes and scales the latest
  /// set.
  private Seen rollOut(WorkloadOwner owner, RolloutStrategy strategy, Seen seen) {
    // Old and new pods must never run together, so the last old pod has to end first.
    if (strategy.recreate() && !oldAreGone(seen.old())) {
      Map<DeploymentRevision, Integer> none = new LinkedHashMap<>();
      seen.old().stream().filter(DeploymentRevision::isActive).forEach(one -> none.put(one, 0));
      return apply(owner, strategy, seen, none, false);
    }
    boolean make = seen.latest().isEmpty();
    if (make && !owner.isLive(client)) {
      // Its sets may be deleted before the cache shows that the Deployment itself is being deleted.
      return seen;
    }
    DeploymentRevision latest =
        make
            ? revisionSets.create(owner, strategy, seen.old())
            : revisionSets.refresh(owner, seen.latest().get(), seen.old());
    Seen next = new Seen(Optional.of(latest), seen.old(), make);
    Map<DeploymentRevision, Integer> plan = DeploymentRollout.roll(strategy, latest, seen.old());
    Seen rolled = apply(owner, strategy, next, plan, false);
    // Old revisions are deleted only after the rollout, because a rollback needs them during it.
    if (plan.isEmpty() && !make && DeploymentRollout.total(seen.old()) == 0) {
      forget(owner, seen.old());
    }
    return rolled;
  }

  /// Whether no pod of an earlier revision runs any more. The number in the status of a set is not
  /// enough: a pod that terminates is no longer counted and still runs.
  private boolean oldAreGone(List<DeploymentRevision> old) {
    return old.stream()
        .allMatch(
            one ->
                !one.isActive()
                    && pods.of(one.set().path("metadata").path("uid").asText()).stream()
                        .allMatch(WorkloadPod::isFinished));
  }

  private void forget(WorkloadOwner owner, List<DeploymentRevision> old) {
    int limit = owner.tree().path("spec").path("revisionHistoryLimit").asInt(10);
    DeploymentRollout.forgotten(old, limit).forEach(revisionSets::delete);
  }

  /// Writes the status, and looks again when the progress deadline ends: no change announces that.
  private Outcome report(WorkloadOwner owner, RolloutStrategy strategy, Seen seen) {
    ObjectNode deployment = numbered(owner.tree(), seen.latest());
    Instant now = clock.instant();
    ObjectNode status = DeploymentStatus.of(deployment, strategy, seen, now);
    WorkloadStatusWriter.write(deployments, deployment, status);
    return DeploymentStatus.deadlineOf(deployment, status)
        .<Outcome>map(
            end -> new Outcome.LookAgain(Duration.between(now, end).plus(Duration.ofSeconds(1))))
        .orElse(ReconcileLoop.SETTLED);
  }

  /// Copies the number of the latest revision to the Deployment.
  private ObjectNode numbered(ObjectNode deployment, Optional<DeploymentRevision> latest) {
    long number = latest.map(DeploymentRevision::number).orElse(0L);
    if (number == 0 || number == DeploymentRevision.numberOf(deployment)) {
      return deployment;
    }
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch
        .putObject("metadata")
        .put("uid", deployment.path("metadata").path("uid").asText())
        .putObject("annotations")
        .put(DeploymentRevision.NUMBER, Long.toString(number));
    // Written through the status subresource: a change of the Deployment itself would raise its
    // generation.
    return deployments.patch(
        deployments.codec().key(deployment), ObjectPatch.merge(patch), "status");
  }

  @Override
  public ReconcileLoop<?> workers() {
    return loop;
  }

  @Override
  public void close() {
    loop.close();
    known.close();
  }
}

package dev.berth.controllers.deployments;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.Change;
import dev.berth.client.Informer;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.Patch;
import dev.berth.client.ReconcileLoop;
import dev.berth.client.ReconcileLoop.Outcome;
import dev.berth.client.ReconcileLoop.Readiness;
import dev.berth.client.ResourceType;
import dev.berth.client.Resources;
import dev.berth.client.WorkQueue;
import dev.berth.controllers.deployments.DeploymentStatus.Seen;
import dev.berth.controllers.loops.Loop;
import dev.berth.controllers.loops.Recorder;
import dev.berth.controllers.loops.Surroundings;
import dev.berth.controllers.workloads.Claims;
import dev.berth.controllers.workloads.Identity;
import dev.berth.controllers.workloads.Managers;
import dev.berth.controllers.workloads.Owner;
import dev.berth.controllers.workloads.PodCache;
import dev.berth.controllers.workloads.PodFacts;
import dev.berth.controllers.workloads.StatusWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Moves the pods of each Deployment to its latest template, within its bounds.
public final class Deployments implements Loop {
  private final ApiClient client;
  private final Resources<ObjectNode> deployments;
  private final Informer<ObjectNode> known;
  private final Informer<ObjectNode> sets;
  private final PodCache pods;
  private final RevisionSets hands;
  private final Claims claims;
  private final InstantSource clock;
  private final WorkQueue<ObjectKey> queue;
  private final ReconcileLoop<ObjectKey> loop;

  /// @param sets all ReplicaSets
  /// @param pods both stay open when the loop is closed
  public Deployments(Surroundings surroundings, Informer<ObjectNode> sets, PodCache pods) {
    this.client = surroundings.client();
    this.deployments = surroundings.client().json(ResourceType.DEPLOYMENTS);
    this.known = surroundings.informer(deployments, ListQuery.ALL);
    this.sets = sets;
    this.pods = pods;
    this.hands =
        new RevisionSets(surroundings, new Recorder(surroundings, "deployment-controller"));
    this.claims = new Claims(surroundings.client(), ResourceType.REPLICA_SETS);
    this.clock = surroundings.clock();
    this.queue = surroundings.queue();
    known.addHandler(change -> queue.add(deployments.codec().key(change.latest())));
    sets.addHandler(this::setChanged);
    pods.addHandler(this::podChanged);
    this.loop =
        ReconcileLoop.start(
            "deployments", queue, 2, Readiness.of(known, sets, pods.informer()), this::reconcile);
  }

  private void setChanged(Change<ObjectNode> change) {
    Managers.of(change, Identity::of, ResourceType.DEPLOYMENTS, known).forEach(queue::add);
  }

  /// Only the end of pods matters here, to those that wait for the last one.
  private void podChanged(Change<PodFacts> change) {
    PodFacts pod = change.latest();
    if (change instanceof Change.Removed || pod.isFinished()) {
      Managers.managerOf(pod.identity(), ResourceType.REPLICA_SETS)
          .flatMap(sets::get)
          .flatMap(set -> Managers.managerOf(Identity.of(set), ResourceType.DEPLOYMENTS))
          .ifPresent(queue::add);
    }
  }

  private Outcome reconcile(ObjectKey key) {
    Optional<ObjectNode> found = known.get(key);
    if (found.isEmpty()) {
      return ReconcileLoop.SETTLED;
    }
    Owner owner = Owner.of(ResourceType.DEPLOYMENTS, found.get());
    if (owner.selector().isEverything()) {
      return ReconcileLoop.SETTLED;
    }
    List<Revision> all = claimed(owner);
    Optional<Revision> latest = RevisionTemplates.find(owner.tree(), all);
    List<Revision> old = without(all, latest);
    Strategy strategy = Strategy.of(owner.tree());
    Seen seen = new Seen(latest, old, false);
    if (!owner.identity().isBeingDeleted()) {
      boolean onlyScale =
          owner.tree().path("spec").path("paused").asBoolean() || Rollout.isScaling(strategy, all);
      seen = onlyScale ? scale(owner, strategy, seen) : rollOut(owner, strategy, seen);
    }
    return report(owner, strategy, seen);
  }

  private List<Revision> claimed(Owner owner) {
    String namespace = owner.identity().key().namespace();
    List<ObjectNode> candidates =
        sets.list().stream()
            .filter(set -> set.path("metadata").path("namespace").asText().equals(namespace))
            .toList();
    return claims.claim(owner, candidates, Identity::of).stream().map(Revision::of).toList();
  }

  private static List<Revision> without(List<Revision> all, Optional<Revision> latest) {
    List<Revision> others = new ArrayList<>(all);
    latest.ifPresent(others::remove);
    return others;
  }

  private Seen scale(Owner owner, Strategy strategy, Seen seen) {
    Map<Revision, Integer> plan = Rollout.scale(strategy, seen.latest(), seen.old());
    return apply(owner, strategy, seen, plan, true);
  }

  /// @param mark whether sets that keep their number are told what is wanted now, too
  private Seen apply(
      Owner owner, Strategy strategy, Seen seen, Map<Revision, Integer> plan, boolean mark) {
    List<Revision> old = new ArrayList<>();
    for (Revision one : seen.old()) {
      old.add(applied(owner, strategy, one, plan, mark));
    }
    return new Seen(
        seen.latest().map(one -> applied(owner, strategy, one, plan, mark)), old, seen.madeNow());
  }

  private Revision applied(
      Owner owner, Strategy strategy, Revision one, Map<Revision, Integer> plan, boolean mark) {
    int replicas = plan.getOrDefault(one, one.replicas());
    boolean concerned = plan.containsKey(one) || (mark && one.isActive());
    return concerned ? hands.scale(owner, one, replicas, strategy) : one;
  }

  private Seen rollOut(Owner owner, Strategy strategy, Seen seen) {
    if (strategy.recreate() && !oldAreGone(seen.old())) {
      Map<Revision, Integer> none = new LinkedHashMap<>();
      seen.old().stream().filter(Revision::isActive).forEach(one -> none.put(one, 0));
      return apply(owner, strategy, seen, none, false);
    }
    boolean make = seen.latest().isEmpty();
    if (make && !owner.isLive(client)) {
      // Its sets are going before the cache has seen that it goes itself.
      return seen;
    }
    Revision latest =
        make
            ? hands.create(owner, strategy, seen.old())
            : hands.refresh(owner, seen.latest().get(), seen.old());
    Seen next = new Seen(Optional.of(latest), seen.old(), make);
    Map<Revision, Integer> plan = Rollout.roll(strategy, latest, seen.old());
    Seen rolled = apply(owner, strategy, next, plan, false);
    if (plan.isEmpty() && !make && Rollout.total(seen.old()) == 0) {
      forget(owner, seen.old());
    }
    return rolled;
  }

  private boolean oldAreGone(List<Revision> old) {
    return old.stream()
        .allMatch(
            one ->
                !one.isActive()
                    && pods.of(one.set().path("metadata").path("uid").asText()).stream()
                        .allMatch(PodFacts::isFinished));
  }

  private void forget(Owner owner, List<Revision> old) {
    int limit = owner.tree().path("spec").path("revisionHistoryLimit").asInt(10);
    Rollout.forgotten(old, limit).forEach(hands::delete);
  }

  private Outcome report(Owner owner, Strategy strategy, Seen seen) {
    ObjectNode deployment = numbered(owner.tree(), seen.latest());
    Instant now = clock.instant();
    ObjectNode status = DeploymentStatus.of(deployment, strategy, seen, now);
    StatusWriter.write(deployments, deployment, status);
    return DeploymentStatus.deadlineOf(deployment, status)
        .<Outcome>map(
            end -> new Outcome.LookAgain(Duration.between(now, end).plus(Duration.ofSeconds(1))))
        .orElse(ReconcileLoop.SETTLED);
  }

  /// The Deployment shows the number of its latest revision.
  private ObjectNode numbered(ObjectNode deployment, Optional<Revision> latest) {
    long number = latest.map(Revision::number).orElse(0L);
    if (number == 0 || number == Revision.numberOf(deployment)) {
      return deployment;
    }
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch
        .putObject("metadata")
        .put("uid", deployment.path("metadata").path("uid").asText())
        .putObject("annotations")
        .put(Revision.NUMBER, Long.toString(number));
    // Through the status: as a change of the Deployment itself it would be a new generation.
    return deployments.patch(deployments.codec().key(deployment), Patch.merge(patch), "status");
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

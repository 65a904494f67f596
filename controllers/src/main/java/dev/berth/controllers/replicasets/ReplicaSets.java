package dev.berth.controllers.replicasets;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.Change;
import dev.berth.client.ClientException;
import dev.berth.client.Informer;
import dev.berth.client.ObjectKey;
import dev.berth.client.ReconcileLoop;
import dev.berth.client.ReconcileLoop.Outcome;
import dev.berth.client.ReconcileLoop.Readiness;
import dev.berth.client.ResourceType;
import dev.berth.client.Resources;
import dev.berth.client.WorkQueue;
import dev.berth.controllers.loops.Loop;
import dev.berth.controllers.loops.Recorder;
import dev.berth.controllers.loops.Surroundings;
import dev.berth.controllers.workloads.Claims;
import dev.berth.controllers.workloads.Managers;
import dev.berth.controllers.workloads.Owner;
import dev.berth.controllers.workloads.PodCache;
import dev.berth.controllers.workloads.PodFacts;
import dev.berth.controllers.workloads.PodHands;
import dev.berth.controllers.workloads.StatusWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Keeps as many pods as each ReplicaSet wants.
public final class ReplicaSets implements Loop {
  private static final Duration CACHE_CATCHES_UP = Duration.ofSeconds(10);

  private final Resources<ObjectNode> sets;
  private final Informer<ObjectNode> known;
  private final PodCache pods;
  private final PodHands hands;
  private final Claims claims;
  private final InstantSource clock;
  private final WorkQueue<ObjectKey> queue;
  private final ReconcileLoop<ObjectKey> loop;

  /// @param known all ReplicaSets
  /// @param pods both stay open when the loop is closed
  public ReplicaSets(Surroundings surroundings, Informer<ObjectNode> known, PodCache pods) {
    this.sets = surroundings.client().json(ResourceType.REPLICA_SETS);
    this.known = known;
    this.pods = pods;
    this.hands =
        new PodHands(surroundings, pods, new Recorder(surroundings, "replicaset-controller"));
    this.claims = new Claims(surroundings.client(), ResourceType.PODS);
    this.clock = surroundings.clock();
    this.queue = surroundings.queue();
    known.addHandler(change -> queue.add(sets.codec().key(change.latest())));
    pods.addHandler(this::podChanged);
    this.loop =
        ReconcileLoop.start(
            "replica-sets", queue, 4, Readiness.of(known, pods.informer()), this::reconcile);
  }

  private void podChanged(Change<PodFacts> change) {
    Managers.of(change, PodFacts::identity, ResourceType.REPLICA_SETS, known).forEach(queue::add);
  }

  private Outcome reconcile(ObjectKey key) {
    Optional<ObjectNode> set = known.get(key);
    if (set.isEmpty()) {
      return ReconcileLoop.SETTLED;
    }
    Owner owner = Owner.of(ResourceType.REPLICA_SETS, set.get());
    if (!hands.isCacheCurrent(owner)) {
      return new Outcome.LookAgain(CACHE_CATCHES_UP);
    }
    List<PodFacts> mine =
        claims.claim(owner, pods.candidates(owner.identity()), PodFacts::identity);
    @Nullable ClientException failure = null;
    if (!owner.identity().isBeingDeleted()) {
      failure = act(owner, ReplicaPlan.of(set.get().at("/spec/replicas").asInt(1), mine));
    }
    Instant now = clock.instant();
    StatusWriter.write(sets, set.get(), ReplicaSetStatus.of(set.get(), mine, told(failure), now));
    if (failure != null) {
      throw failure;
    }
    return ReplicaSetStatus.nextAvailable(set.get(), mine, now)
        .<Outcome>map(then -> new Outcome.LookAgain(Duration.between(now, then)))
        .orElse(ReconcileLoop.SETTLED);
  }

  private static String told(@Nullable ClientException failure) {
    return failure == null ? "" : String.valueOf(failure.getMessage());
  }

  /// One after the other, so that the first refusal spares the server the others.
  private @Nullable ClientException act(Owner owner, ReplicaPlan plan) {
    try {
      for (int i = 0; i < plan.create(); i++) {
        hands.create(owner, PodHands.fromTemplate(owner));
      }
      plan.delete().forEach(pod -> hands.delete(owner, pod));
      return null;
    } catch (ClientException e) {
      return e;
    }
  }

  @Override
  public ReconcileLoop<?> workers() {
    return loop;
  }
}

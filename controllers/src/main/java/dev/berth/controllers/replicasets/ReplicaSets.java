package dev.berth.controllers.replicasets;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ClientException;
import dev.berth.client.Informer;
import dev.berth.client.InformerEvent;
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
import dev.berth.controllers.workloads.PodCache;
import dev.berth.controllers.workloads.PodControl;
import dev.berth.controllers.workloads.WorkloadOwner;
import dev.berth.controllers.workloads.WorkloadPod;
import dev.berth.controllers.workloads.WorkloadStatusWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Keeps the desired number of pods of each ReplicaSet.
///
/// Nothing is decided while the cache lacks a change that this loop requested: otherwise one
/// missing pod would be created twice. See [ControllerExpectations].
public final class ReplicaSets implements ControllerLoop {
  /// When to check again if the cache has not shown a requested change; the change itself queues
  /// the set earlier.
  private static final Duration CACHE_CATCHES_UP = Duration.ofSeconds(10);

  private final ResourceClient<ObjectNode> sets;
  private final Informer<ObjectNode> known;
  private final PodCache pods;
  private final PodControl podControl;
  private final ControllerClaims claims;
  private final InstantSource clock;
  private final WorkQueue<ObjectKey> queue;
  private final ReconcileLoop<ObjectKey> loop;

  /// @param known all ReplicaSets
  /// @param pods both stay open when the loop is closed
  public ReplicaSets(ControllerContext context, Informer<ObjectNode> known, PodCache pods) {
    this.sets = context.client().json(ResourceType.REPLICA_SETS);
    this.known = known;
    this.pods = pods;
    this.podControl =
        new PodControl(context, pods, new ControllerEvents(context, "replicaset-controller"));
    this.claims = new ControllerClaims(context.client(), ResourceType.PODS);
    this.clock = context.clock();
    this.queue = context.queue();
    known.addHandler(change -> queue.add(sets.codec().key(change.latest())));
    pods.addHandler(this::podChanged);
    this.loop =
        ReconcileLoop.start(
            "replica-sets", queue, 4, Readiness.of(known, pods.informer()), this::reconcile);
  }

  private void podChanged(InformerEvent<WorkloadPod> change) {
    ManagingOwners.of(change, WorkloadPod::identity, ResourceType.REPLICA_SETS, known)
        .forEach(queue::add);
  }

  /// Compares a set with its pods, acts, and writes the status of what it saw before it acted.
  private Outcome reconcile(ObjectKey key) {
    Optional<ObjectNode> set = known.get(key);
    if (set.isEmpty()) {
      return ReconcileLoop.SETTLED;
    }
    WorkloadOwner owner = WorkloadOwner.of(ResourceType.REPLICA_SETS, set.get());
    if (!podControl.isCacheCurrent(owner)) {
      return new Outcome.LookAgain(CACHE_CATCHES_UP);
    }
    List<WorkloadPod> mine =
        claims.claim(owner, pods.candidates(owner.identity()), WorkloadPod::identity);
    @Nullable ClientException failure = null;
    if (!owner.identity().isBeingDeleted()) {
      failure = act(owner, ReplicaPlan.of(set.get().at("/spec/replicas").asInt(1), mine));
    }
    Instant now = clock.instant();
    WorkloadStatusWriter.write(
        sets, set.get(), ReplicaSetStatus.of(set.get(), mine, message(failure), now));
    // The status with the failure is written first; the exception then makes the loop back off.
    if (failure != null) {
      throw failure;
    }
    return ReplicaSetStatus.nextAvailable(set.get(), mine, now)
        .<Outcome>map(then -> new Outcome.LookAgain(Duration.between(now, then)))
        .orElse(ReconcileLoop.SETTLED);
  }

  private static String message(@Nullable ClientException failure) {
    return failure == null ? "" : String.valueOf(failure.getMessage());
  }

  /// Executes the plan with one request after the other, so that the first refusal (a quota, an
  /// invalid template) saves the other requests.
  private @Nullable ClientException act(WorkloadOwner owner, ReplicaPlan plan) {
    try {
      for (int i = 0; i < plan.create(); i++) {
        podControl.create(owner, PodControl.fromTemplate(owner));
      }
      plan.delete().forEach(pod -> podControl.delete(owner, pod));
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

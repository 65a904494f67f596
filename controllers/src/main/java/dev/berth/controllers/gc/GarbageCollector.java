package dev.berth.controllers.gc;

import dev.berth.client.ApiException;
import dev.berth.client.DeleteOptions;
import dev.berth.client.DeleteOptions.Propagation;
import dev.berth.client.ObjectMetadata;
import dev.berth.client.OwnerReference;
import dev.berth.client.ReconcileLoop;
import dev.berth.client.ReconcileLoop.Outcome;
import dev.berth.client.WorkQueue;
import dev.berth.controllers.gc.OwnerLookup.Owner;
import dev.berth.controllers.loops.ControllerContext;
import dev.berth.controllers.loops.ControllerEvents;
import dev.berth.controllers.loops.ControllerLoop;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deletes objects whose owners are all absent; in foreground deletion, deletes the dependents
/// before the owner; in orphan deletion, removes the references to the owner.
///
/// Every decision is based on live objects and executed with their uid and revision as
/// preconditions.
public final class GarbageCollector implements ControllerLoop {
  private static final Logger log = LoggerFactory.getLogger(GarbageCollector.class);

  /// Upstream has 20 workers per queue; a worker mostly waits for the server.
  private static final int WORKERS = 8;

  /// Recheck interval of an owner that exists but that no monitor has seen.
  private static final Outcome LOOK_AGAIN = new Outcome.NotYet(Duration.ofSeconds(30));

  private final ControllerContext context;
  private final OwnerGraph graph = new OwnerGraph();
  private final WorkQueue<String> queue;
  private final ResourceMonitors monitors;
  private final OwnerLookup owners;
  private final OwnerReferenceEdits ownership;
  private final LiveDependents liveDependents;
  private final ForeignOwners foreignOwners;
  private final ReconcileLoop<String> loop;

  /// Starts to watch every kind; collection begins when all kinds have been listed.
  public GarbageCollector(ControllerContext context) {
    this.context = context;
    this.queue = context.queue();
    this.monitors = new ResourceMonitors(context, graph, uids -> uids.forEach(queue::add));
    this.owners = new OwnerLookup(context.client(), monitors);
    this.ownership = new OwnerReferenceEdits(context.client());
    this.liveDependents = new LiveDependents(context.client(), monitors);
    this.foreignOwners =
        new ForeignOwners(new ControllerEvents(context, "garbage-collector-controller"));
    this.loop =
        ReconcileLoop.start(
            "garbage-collector", queue, WORKERS, monitors::awaitSynced, this::reconcile);
  }

  /// A reference from a namespace; many dependents often share one.
  private record Claim(OwnerReference reference, String namespace) {}

  /// Looks at one object by its UID. The graph says what it was; the server says what it is.
  private Outcome reconcile(String uid) {
    Optional<GraphNode> found = graph.find(uid);
    if (found.isEmpty()) {
      return verifyUnseenOwner(uid);
    }
    GraphNode node = found.get();
    if (node.orphansDependents()) {
      return orphanDependents(node);
    }
    // The object ends by itself or by its finalizers; its dependents are queued when it is gone.
    if (node.beingDeleted() && !node.waitsForDependents()) {
      return ReconcileLoop.SETTLED;
    }
    Optional<ObjectMetadata> live = context.client().metadata(node.type()).find(node.key());
    if (live.isEmpty() || !live.get().uid().equals(uid)) {
      graph.remove(uid).forEach(queue::add);
      return ReconcileLoop.SETTLED;
    }
    return GraphNode.waitsForDependents(live.get())
        ? awaitDependents(node)
        : collectIfUnowned(node, live.get());
  }

  /// An owner that no monitor has seen: if it is absent, its dependents are checked. While it
  /// exists it is checked again, because no monitor may see its deletion either.
  private Outcome verifyUnseenOwner(String uid) {
    boolean present = false;
    Map<Claim, Owner> asked = new HashMap<>();
    for (GraphNode dependent : graph.dependents(uid)) {
      Optional<OwnerReference> reference = dependent.reference(uid);
      if (reference.isPresent()) {
        Claim claim = new Claim(reference.get(), dependent.key().namespace());
        switch (asked.computeIfAbsent(
            claim, _ -> owners.find(claim.reference(), claim.namespace()))) {
          case Owner.Present _ -> present = true;
          case Owner.Absent _ -> queue.add(dependent.uid());
          case Owner.OutOfScope _ -> warnOutOfScope(dependent, reference.get());
        }
      }
    }
    return present ? LOOK_AGAIN : ReconcileLoop.SETTLED;
  }

  /// Removes the references of all dependents, and then the finalizer, with which the owner goes.
  private Outcome orphanDependents(GraphNode owner) {
    if (!monitors.allSynced()) {
      return LOOK_AGAIN;
    }
    Set<String> references = Set.of(owner.uid());
    graph.dependents(owner.uid()).forEach(node -> ownership.strip(node, references));
    // A dependent that is missed here would be collected as garbage later.
    liveDependents.find(owner).forEach(node -> ownership.strip(node, references));
    ownership.removeFinalizer(owner, GraphNode.ORPHAN);
    log.debug("dependents orphaned owner={}", owner);
    return ReconcileLoop.SETTLED;
  }

  /// Removes the owner's finalizer when no dependent blocks its deletion; otherwise the deletion of
  /// the last blocking dependent queues the owner again.
  private Outcome awaitDependents(GraphNode owner) {
    if (!monitors.allSynced()) {
      return LOOK_AGAIN;
    }
    List<GraphNode> blocking =
        graph.dependents(owner.uid()).stream().filter(node -> isBlocking(node, owner)).toList();
    if (blocking.isEmpty()) {
      // The graph may lag behind the server, and without its finalizer the owner is gone for good.
      if (liveDependents.find(owner).stream().anyMatch(node -> isBlocking(node, owner))) {
        return LOOK_AGAIN;
      }
      ownership.removeFinalizer(owner, GraphNode.FOREGROUND);
    }
    blocking.stream()
        .filter(node -> !node.waitsForDependents())
        .forEach(node -> queue.add(node.uid()));
    return ReconcileLoop.SETTLED;
  }

  private static boolean isBlocking(GraphNode dependent, GraphNode owner) {
    return dependent
        .reference(owner.uid())
        .filter(OwnerReference::blockOwnerDeletion)
        .filter(reference -> owner.isMeantBy(reference, dependent.key().namespace()))
        .isPresent();
  }

  /// Deletes an object if none of its owners exists. If some exist, only the references to the
  /// absent ones go; an owner that waits for its dependents counts as absent, so that the wait
  /// ends.
  private Outcome collectIfUnowned(GraphNode node, ObjectMetadata live) {
    Set<String> useless = new HashSet<>();
    Set<String> good = new HashSet<>();
    boolean awaited = false;
    for (OwnerReference reference : live.owners()) {
      graph
          .find(reference.uid())
          .ifPresent(owner -> foreignOwners.reportOnce(node, reference, owner));
      switch (owners.find(reference, node.key().namespace())) {
        case Owner.Absent _ -> useless.add(reference.uid());
        case Owner.Present(ObjectMetadata owner) -> {
          if (GraphNode.waitsForDependents(owner)) {
            awaited = true;
            useless.add(reference.uid());
          } else {
            good.add(reference.uid());
          }
        }
        case Owner.OutOfScope _ -> {
          // The owner may exist: unknown is not absent.
          warnOutOfScope(node, reference);
          good.add(reference.uid());
        }
      }
    }
    // The same owner may be named twice, once correctly.
    useless.removeAll(good);
    if (!useless.isEmpty()) {
      if (good.isEmpty()) {
        delete(node, live, awaited);
      } else {
        ownership.strip(node, useless);
      }
    }
    return ReconcileLoop.SETTLED;
  }

  /// Deletes an object with the policy that its own finalizers, or the wait of its owner, demand.
  private void delete(GraphNode node, ObjectMetadata live, boolean awaited) {
    List<GraphNode> dependents = graph.dependents(node.uid());
    Propagation policy;
    if (awaited && !dependents.isEmpty()) {
      if (dependents.stream().anyMatch(GraphNode::waitsForDependents)) {
        // A dependent waits for this object, which would wait for the dependent: break the cycle.
        ownership.unblock(node);
      }
      policy = Propagation.FOREGROUND;
    } else if (live.finalizers().contains(GraphNode.ORPHAN)) {
      policy = Propagation.ORPHAN;
    } else if (live.finalizers().contains(GraphNode.FOREGROUND)) {
      policy = Propagation.FOREGROUND;
    } else {
      policy = Propagation.BACKGROUND;
    }
    deleteUnchanged(node, live, policy);
  }

  private void deleteUnchanged(GraphNode node, ObjectMetadata live, Propagation policy) {
    try {
      context
          .client()
          .metadata(node.type())
          .delete(
              node.key(),
              DeleteOptions.ofUid(live.uid())
                  .ifUnchangedSince(live.resourceVersion())
                  .with(policy));
      log.debug("collected {} policy={}", node, policy);
    } catch (ApiException e) {
      if (!e.isObjectNotFound()) {
        throw e;
      }
    }
  }

  private static void warnOutOfScope(GraphNode node, OwnerReference reference) {
    log.warn(
        "cluster-scoped {} has the namespaced {} {} as its owner, which is not possible, and is not"
            + " garbage collected. Remove the owner reference",
        node,
        reference.kind(),
        reference.name());
  }

  /// The number of objects in the graph.
  public int size() {
    return graph.size();
  }

  @Override
  public ReconcileLoop<?> workers() {
    return loop;
  }

  @Override
  public void close() {
    monitors.close();
    loop.close();
  }
}

package dev.berth.controllers.daemonsets;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiException;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Informer;
import dev.berth.client.ListQuery;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.controllers.loops.ControllerContext;
import dev.berth.controllers.workloads.ControllerClaims;
import dev.berth.controllers.workloads.ObjectIdentity;
import dev.berth.controllers.workloads.WorkloadOwner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Keeps the ControllerRevisions of DaemonSets.
///
/// Names are computed from templates, and the server refuses writes based on a stale cache, so that
/// no revision is created twice.
final class DaemonSetRevisions implements AutoCloseable {
  private final ResourceClient<ObjectNode> revisions;
  private final ResourceClient<ObjectNode> sets;
  private final Informer<ObjectNode> known;
  private final ControllerClaims claims;

  DaemonSetRevisions(ControllerContext context) {
    this.revisions = context.client().json(ResourceType.CONTROLLER_REVISIONS);
    this.sets = context.client().json(ResourceType.DAEMON_SETS);
    this.known = context.informer(revisions, ListQuery.ALL);
    this.claims = new ControllerClaims(context.client(), ResourceType.CONTROLLER_REVISIONS);
  }

  Informer<ObjectNode> informer() {
    return known;
  }

  /// The revisions that the set owns after adoption and release.
  List<ObjectNode> of(WorkloadOwner set) {
    String namespace = set.identity().key().namespace();
    List<ObjectNode> candidates =
        known.list().stream()
            .filter(one -> one.path("metadata").path("namespace").asText().equals(namespace))
            .toList();
    return claims.claim(set, candidates, ObjectIdentity::of);
  }

  /// The revision of the set's current template, which gets the highest number.
  ObjectNode current(WorkloadOwner set, List<ObjectNode> all) {
    Optional<ObjectNode> found = DaemonSetHistory.find(set.tree(), all);
    if (found.isEmpty()) {
      return create(set, all);
    }
    List<ObjectNode> others = new ArrayList<>(all);
    others.remove(found.get());
    long next = DaemonSetHistory.next(others);
    // A rollback makes an old template current: its revision gets the next number instead of a
    // copy.
    if (DaemonSetHistory.number(found.get()) >= next) {
      return found.get();
    }
    ObjectNode renumbered = found.get().deepCopy();
    renumbered.put("revision", next);
    return revisions.update(renumbered);
  }

  private ObjectNode create(WorkloadOwner set, List<ObjectNode> others) {
    ObjectNode made = DaemonSetHistory.make(set, others);
    try {
      return revisions.create(made);
    } catch (ApiException e) {
      if (e.hasCause("NamespaceTerminating")) {
        // The set is being deleted: there is nothing to roll back to.
        return made;
      }
      if (!e.isAlreadyExists()) {
        throw e;
      }
      return existing(set, made, e);
    }
  }

  /// If the existing revision belongs to the set, it was created before and is not in the cache
  /// yet. Otherwise its name collides, and the template needs another one.
  private ObjectNode existing(WorkloadOwner set, ObjectNode made, ApiException refusal) {
    ObjectNode there = revisions.get(revisions.codec().key(made));
    if (ObjectIdentity.of(there).controllerUid().equals(set.uid())
        && DaemonSetHistory.holds(there, DaemonSetHistory.data(set.tree()))) {
      return there;
    }
    ObjectNode next = set.tree().deepCopy();
    ObjectNode status = next.withObject("/status");
    status.put("collisionCount", status.path("collisionCount").asInt() + 1);
    sets.update(next, "status");
    throw refusal;
  }

  /// Deletes the oldest revisions beyond the set's `revisionHistoryLimit`.
  ///
  /// @param used the template hashes of its pods
  void forget(WorkloadOwner set, List<ObjectNode> all, ObjectNode current, Set<String> used) {
    int limit = set.tree().path("spec").path("revisionHistoryLimit").asInt(10);
    String uid = ObjectIdentity.of(current).uid();
    List<ObjectNode> old =
        all.stream().filter(one -> !ObjectIdentity.of(one).uid().equals(uid)).toList();
    for (ObjectNode one : DaemonSetHistory.forgotten(old, used, limit)) {
      try {
        revisions.delete(
            revisions.codec().key(one), DeleteOptions.ofUid(ObjectIdentity.of(one).uid()));
      } catch (ApiException e) {
        if (!e.isNotFound()) {
          throw e;
        }
      }
    }
  }

  @Override
  public void close() {
    known.close();
  }
}

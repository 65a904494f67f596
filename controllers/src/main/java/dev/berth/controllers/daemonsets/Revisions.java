package dev.berth.controllers.daemonsets;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiException;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Informer;
import dev.berth.client.ListQuery;
import dev.berth.client.ResourceType;
import dev.berth.client.Resources;
import dev.berth.controllers.loops.Surroundings;
import dev.berth.controllers.workloads.Claims;
import dev.berth.controllers.workloads.Identity;
import dev.berth.controllers.workloads.Owner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Keeps the ControllerRevisions of DaemonSets.
///
/// Names follow from templates and writes are refused when the cache was behind, so nothing is made
/// twice.
final class Revisions implements AutoCloseable {
  private final Resources<ObjectNode> revisions;
  private final Resources<ObjectNode> sets;
  private final Informer<ObjectNode> known;
  private final Claims claims;

  Revisions(Surroundings surroundings) {
    this.revisions = surroundings.client().json(ResourceType.CONTROLLER_REVISIONS);
    this.sets = surroundings.client().json(ResourceType.DAEMON_SETS);
    this.known = surroundings.informer(revisions, ListQuery.ALL);
    this.claims = new Claims(surroundings.client(), ResourceType.CONTROLLER_REVISIONS);
  }

  Informer<ObjectNode> informer() {
    return known;
  }

  /// Those that are the set's from now on.
  List<ObjectNode> of(Owner set) {
    String namespace = set.identity().key().namespace();
    List<ObjectNode> candidates =
        known.list().stream()
            .filter(one -> one.path("metadata").path("namespace").asText().equals(namespace))
            .toList();
    return claims.claim(set, candidates, Identity::of);
  }

  /// The revision of the set's template, which is the last one from now on.
  ObjectNode current(Owner set, List<ObjectNode> all) {
    Optional<ObjectNode> found = History.find(set.tree(), all);
    if (found.isEmpty()) {
      return create(set, all);
    }
    List<ObjectNode> others = new ArrayList<>(all);
    others.remove(found.get());
    long next = History.next(others);
    if (History.number(found.get()) >= next) {
      return found.get();
    }
    ObjectNode renumbered = found.get().deepCopy();
    renumbered.put("revision", next);
    return revisions.update(renumbered);
  }

  private ObjectNode create(Owner set, List<ObjectNode> others) {
    ObjectNode made = History.make(set, others);
    try {
      return revisions.create(made);
    } catch (ApiException e) {
      if (e.hasCause("NamespaceTerminating")) {
        // It goes, and the set with it: there is nothing to return to.
        return made;
      }
      if (!e.isAlreadyExists()) {
        throw e;
      }
      return existing(set, made, e);
    }
  }

  /// One of that name that is ours was made before and is not in the cache yet; any other one took
  /// the name, so the template needs another one.
  private ObjectNode existing(Owner set, ObjectNode made, ApiException refusal) {
    ObjectNode there = revisions.get(revisions.codec().key(made));
    if (Identity.of(there).controllerUid().equals(set.uid())
        && History.holds(there, History.data(set.tree()))) {
      return there;
    }
    ObjectNode next = set.tree().deepCopy();
    ObjectNode status = next.withObject("/status");
    status.put("collisionCount", status.path("collisionCount").asInt() + 1);
    sets.update(next, "status");
    throw refusal;
  }

  /// Deletes what is beyond the set's limit.
  ///
  /// @param used the marks of its pods
  void forget(Owner set, List<ObjectNode> all, ObjectNode current, Set<String> used) {
    int limit = set.tree().path("spec").path("revisionHistoryLimit").asInt(10);
    String uid = Identity.of(current).uid();
    List<ObjectNode> old = all.stream().filter(one -> !Identity.of(one).uid().equals(uid)).toList();
    for (ObjectNode one : History.forgotten(old, used, limit)) {
      try {
        revisions.delete(revisions.codec().key(one), DeleteOptions.ofUid(Identity.of(one).uid()));
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

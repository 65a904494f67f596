package dev.berth.server.resources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.PodPhase;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.json.ScalarForms;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.resources.objects.ObjectMetadata;
import dev.berth.server.resources.requests.DeleteOptions;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/// Decides whether a DELETE removes an object, marks it, or changes nothing; pure.
///
/// Finalizers of garbage collection are set from the propagation policy before the decision: an
/// object that waits for the garbage collector is never removed at once.
final class DeletionDecision {
  private static final String ORPHAN = "orphan";
  private static final String FOREGROUND = "foregroundDeletion";

  /// The decision.
  sealed interface Plan {
    /// Remove the object; `object` is its last state.
    record Remove(ObjectNode object) implements Plan {}

    /// Store the object with its deletion marks and wait for finalizers or the node agent.
    record Keep(ObjectNode object) implements Plan {}

    /// The object is already being deleted.
    record Unchanged() implements Plan {}
  }

  /// A thousand years, in seconds: the end must be a valid time.
  private static final long LONGEST_GRACE = 1000L * 365 * 24 * 60 * 60;

  private DeletionDecision() {}

  /// Whether a marked object has neither finalizers nor a grace period left.
  static boolean isComplete(ResourceKind kind, ObjectNode object) {
    return ObjectMetadata.isBeingDeleted(object)
        && !ObjectMetadata.hasFinalizers(object)
        && object.path("metadata").path("deletionGracePeriodSeconds").asLong() == 0
        && !(isNamespace(kind) && !object.path("spec").path("finalizers").isEmpty());
  }

  private static boolean isNamespace(ResourceKind kind) {
    return kind.names().kind().equals("Namespace") && kind.names().group().isEmpty();
  }

  private static boolean isPod(ResourceKind kind) {
    return kind.names().kind().equals("Pod") && kind.names().group().isEmpty();
  }

  static Plan plan(ResourceKind kind, ObjectNode live, DeleteOptions options, Instant now) {
    ObjectNode object = live.deepCopy();
    setFinalizers(kind, object, options);
    if (isNamespace(kind)) {
      return namespace(kind, object, live, now);
    }
    if (ObjectMetadata.isBeingDeleted(live)) {
      options.gracePeriodSeconds().ifPresent(grace -> shorten(object, notNegative(grace)));
    } else {
      mark(object, isPod(kind) ? podGrace(live, options.gracePeriodSeconds()) : 0, now);
    }
    if (isComplete(kind, object)) {
      return new Plan.Remove(object);
    }
    // A repeated delete that changes nothing is no write.
    return JsonTrees.same(object, live) ? new Plan.Unchanged() : new Plan.Keep(object);
  }

  /// A namespace has finalizers in its spec as well, which the namespace controller removes through
  /// `/finalize` when the namespace is empty. Grace periods do not apply to it.
  private static Plan namespace(
      ResourceKind kind, ObjectNode object, ObjectNode live, Instant now) {
    if (!ObjectMetadata.isBeingDeleted(object)) {
      ObjectMetadata.of(object).put("deletionTimestamp", ScalarForms.time(now));
      object.withObjectProperty("status").put("phase", "Terminating");
    }
    if (isComplete(kind, object)) {
      return new Plan.Remove(object);
    }
    return JsonTrees.same(object, live) ? new Plan.Unchanged() : new Plan.Keep(object);
  }

  /// The grace period of a pod: zero for a pod that is not bound or has ended, else that of the
  /// request or the spec.
  private static long podGrace(ObjectNode pod, Optional<Long> requested) {
    String phase = pod.path("status").path("phase").asText();
    if (pod.path("spec").path("nodeName").asText().isEmpty() || PodPhase.isFinished(phase)) {
      return 0;
    }
    long grace =
        requested.orElseGet(
            () -> pod.path("spec").path("terminationGracePeriodSeconds").asLong(30));
    return notNegative(grace);
  }

  /// A negative period means one second, as upstream; the maximum is {@link #LONGEST_GRACE}.
  private static long notNegative(long grace) {
    return grace < 0 ? 1 : Math.min(grace, LONGEST_GRACE);
  }

  private static void mark(ObjectNode object, long grace, Instant now) {
    ObjectNode metadata = ObjectMetadata.of(object);
    // The timestamp is the end of the grace period, not the time of the request, as upstream has
    // it.
    metadata.put("deletionTimestamp", ScalarForms.time(now.plusSeconds(grace)));
    metadata.put("deletionGracePeriodSeconds", grace);
    // The deletion changes what controllers do with the object, so it counts as a change of the
    // specification.
    if (metadata.path("generation").asLong() > 0) {
      metadata.put("generation", metadata.path("generation").asLong() + 1);
    }
  }

  /// A repeated delete can only shorten the grace period, and only if it names one.
  private static void shorten(ObjectNode object, long grace) {
    ObjectNode metadata = ObjectMetadata.of(object);
    long before = metadata.path("deletionGracePeriodSeconds").asLong();
    if (grace < before) {
      Instant end = Instant.parse(metadata.path("deletionTimestamp").asText());
      metadata.put("deletionTimestamp", ScalarForms.time(end.minusSeconds(before - grace)));
      metadata.put("deletionGracePeriodSeconds", grace);
    }
  }

  private static void setFinalizers(ResourceKind kind, ObjectNode object, DeleteOptions options) {
    JsonNode existing = object.path("metadata").path("finalizers");
    Set<String> finalizers = new LinkedHashSet<>();
    existing.forEach(finalizer -> finalizers.add(finalizer.asText()));
    DeleteOptions.Propagation policy = policy(kind, finalizers, options);
    finalizers.remove(ORPHAN);
    finalizers.remove(FOREGROUND);
    switch (policy) {
      case ORPHAN -> finalizers.add(ORPHAN);
      case FOREGROUND -> finalizers.add(FOREGROUND);
      case BACKGROUND, UNSET -> {}
    }
    if (finalizers.isEmpty()) {
      ObjectMetadata.of(object).remove("finalizers");
    } else {
      ArrayNode list = ObjectMetadata.of(object).putArray("finalizers");
      finalizers.forEach(list::add);
    }
  }

  /// The request decides first, then finalizers that the object already has, then the default of
  /// the kind. Jobs orphan their pods by default, which upstream keeps for old clients.
  private static DeleteOptions.Propagation policy(
      ResourceKind kind, Set<String> finalizers, DeleteOptions options) {
    if (options.propagation() != DeleteOptions.Propagation.UNSET) {
      return options.propagation();
    }
    if (options.orphanDependents().isPresent()) {
      return options.orphanDependents().get()
          ? DeleteOptions.Propagation.ORPHAN
          : DeleteOptions.Propagation.BACKGROUND;
    }
    if (finalizers.contains(ORPHAN)) {
      return DeleteOptions.Propagation.ORPHAN;
    }
    if (finalizers.contains(FOREGROUND)) {
      return DeleteOptions.Propagation.FOREGROUND;
    }
    return kind.names().kind().equals("Job")
        ? DeleteOptions.Propagation.ORPHAN
        : DeleteOptions.Propagation.BACKGROUND;
  }
}

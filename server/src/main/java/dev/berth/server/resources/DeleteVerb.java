package dev.berth.server.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.errors.ApiException;
import dev.berth.server.errors.ApiStatus;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.resources.objects.ObjectMetadata;
import dev.berth.server.resources.objects.StoredObject;
import dev.berth.server.resources.requests.DeleteOptions;
import dev.berth.server.resources.requests.ListOptions;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.store.StoreEntry;
import dev.berth.store.WriteOutcome;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// DELETE of one object and of a collection.
///
/// A deletion has two forms. An object without finalizers and grace period is removed; otherwise
/// the object gets its deletion timestamp and stays until the write that removes the last
/// finalizer, which `UpdateVerb` turns into the removal. `DeletionDecision` chooses between them.
public final class DeleteVerb {
  private static final String JOB_WARNING =
      "child pods are preserved by default when jobs are deleted; set"
          + " propagationPolicy=Background to remove them or set propagationPolicy=Orphan to"
          + " suppress this warning";

  private final WriteRules rules;
  private final ListVerb lister;

  public DeleteVerb(WriteRules rules, ListVerb lister) {
    this.rules = rules;
    this.lister = lister;
  }

  public VerbAnswer delete(RequestTarget target, DeleteOptions options) {
    return delete(target, options, _ -> {});
  }

  /// Deletes one object.
  ///
  /// @param lastWords sets fields of the live object together with the deletion timestamp
  public VerbAnswer delete(
      RequestTarget target, DeleteOptions options, Consumer<ObjectNode> lastWords) {
    if (target.kind().names().kind().equals("Job")
        && options.propagation() == DeleteOptions.Propagation.UNSET
        && options.orphanDependents().isEmpty()) {
      target.warnings().accept(JOB_WARNING);
    }
    while (true) {
      StoreEntry<StoredObject> entry =
          rules.store().get(target.kind(), target.namespace(), target.name());
      if (options.ignoreReadError() && !entry.value().isReadable()) {
        requireMaster(target);
        return unread(target, options.dryRun() ? null : rules.store().delete(entry));
      }
      VerbAnswer answer = attempt(target, entry, options, lastWords);
      if (answer != null) {
        return answer;
      }
    }
  }

  /// Upstream has a separate RBAC verb for this, which only cluster administrators have.
  ///
  /// Nobody runs finalizers of an object that cannot be read, so what it stands for may leak.
  private static void requireMaster(RequestTarget target) {
    if (!target.user().isMaster()) {
      throw ApiException.forbidden(
          target.kind().resource(),
          target.name(),
          "only members of %s may use ignoreStoreReadErrorWithClusterBreakingPotential"
              .formatted(UserInfo.MASTERS));
    }
  }

  /// The object's finalizers, owners and grace period are unknown, because its value cannot be
  /// read.
  private static VerbAnswer unread(
      RequestTarget target, @Nullable WriteOutcome<StoredObject> outcome) {
    if (outcome instanceof WriteOutcome.Refused<StoredObject>) {
      throw ApiException.staleWrite(target.kind().resource(), target.name());
    }
    return new VerbAnswer.Done(
        200,
        new ApiStatus(
            200,
            "",
            "",
            ApiStatus.Details.of(
                target.name(), target.kind().names().group(), target.kind().names().plural())));
  }

  /// Returns the items as they were before, with a continue token when a limit left some.
  public VerbAnswer deleteCollection(
      RequestTarget target, ListOptions selection, DeleteOptions options) {
    VerbAnswer.Listing listing = lister.list(target, selection);
    for (StoreEntry<StoredObject> entry : listing.items()) {
      RequestTarget one =
          new RequestTarget(
              target.kind(),
              target.version(),
              entry.value().namespace(),
              entry.value().name(),
              "",
              target.user(),
              target.warnings(),
              target.now());
      try {
        delete(one, options);
      } catch (ApiException e) {
        // Another client deleted the object meanwhile, which is what this request wants.
        if (e.status().code() != 404) {
          throw e;
        }
      }
    }
    return listing;
  }

  /// Null after a concurrent write.
  ///
  /// Preconditions, admission and the decision are repeated for each state of the object that the
  /// loop reads.
  private @Nullable VerbAnswer attempt(
      RequestTarget target,
      StoreEntry<StoredObject> entry,
      DeleteOptions options,
      Consumer<ObjectNode> lastWords) {
    ResourceKind kind = target.kind();
    ObjectNode live = rules.store().tree(kind, entry.value());
    checkPreconditions(target, live, options);
    rules.validateAdmission(target, Operation.DELETE, null, live, options.dryRun());
    lastWords.accept(live);
    return switch (DeletionDecision.plan(kind, live, options, target.now())) {
      case DeletionDecision.Plan.Unchanged() -> new VerbAnswer.Stored(200, entry);
      case DeletionDecision.Plan.Keep(ObjectNode object) ->
          options.dryRun()
              ? new VerbAnswer.Tree(200, object)
              : kept(rules.store().replace(kind, object, entry.revision()), options);
      case DeletionDecision.Plan.Remove(ObjectNode object) ->
          options.dryRun()
              ? gone(kind, object)
              : removed(target, object, rules.store().delete(entry));
    };
  }

  private static @Nullable VerbAnswer kept(
      WriteOutcome<StoredObject> outcome, DeleteOptions options) {
    // The old form is `orphanDependents: false`; upstream answers it with 202 while the object
    // still exists.
    boolean oldForm = options.orphanDependents().isPresent() && !options.orphanDependents().get();
    return outcome instanceof WriteOutcome.Committed<StoredObject>(_, var entry, _) && entry != null
        ? new VerbAnswer.Stored(oldForm ? 202 : 200, entry)
        : null;
  }

  private @Nullable VerbAnswer removed(
      RequestTarget target, ObjectNode object, WriteOutcome<StoredObject> outcome) {
    if (!(outcome instanceof WriteOutcome.Committed<StoredObject>)) {
      return null;
    }
    rules.committed(target, Operation.DELETE, null, object);
    return gone(target.kind(), object);
  }

  private static VerbAnswer gone(ResourceKind kind, ObjectNode object) {
    if (kind.behaviour().returnsDeleted()) {
      return new VerbAnswer.Tree(200, object);
    }
    ApiStatus.Details details =
        ApiStatus.Details.of(
                ObjectMetadata.text(object, "name"), kind.names().group(), kind.names().plural())
            .withUid(ObjectMetadata.text(object, "uid"));
    return new VerbAnswer.Done(200, new ApiStatus(200, "", "", details));
  }

  private static void checkPreconditions(
      RequestTarget target, ObjectNode live, DeleteOptions options) {
    String uid = ObjectMetadata.text(live, "uid");
    String version = ObjectMetadata.text(live, "resourceVersion");
    if (!options.uid().isEmpty() && !options.uid().equals(uid)) {
      throw preconditionFailed(
          target,
          ("the UID in the precondition (%s) does not match the UID in record (%s). The object"
                  + " might have been deleted and then recreated")
              .formatted(options.uid(), uid));
    }
    if (!options.resourceVersion().isEmpty() && !options.resourceVersion().equals(version)) {
      throw preconditionFailed(
          target,
          ("the ResourceVersion in the precondition (%s) does not match the ResourceVersion in"
                  + " record (%s). The object might have been modified")
              .formatted(options.resourceVersion(), version));
    }
  }

  /// Upstream names the Kind here where other conflicts name the plural.
  private static ApiException preconditionFailed(RequestTarget target, String why) {
    ResourceKind kind = target.kind();
    return ApiException.conflict(
        new ApiException.Resource(kind.names().group(), kind.names().kind(), ""),
        target.name(),
        why);
  }
}

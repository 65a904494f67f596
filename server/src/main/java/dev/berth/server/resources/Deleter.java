package dev.berth.server.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.admission.Attributes.Operation;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.errors.ApiException;
import dev.berth.server.errors.Status;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.store.Entry;
import dev.berth.store.Outcome;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// DELETE of one object and of a collection.
public final class Deleter {
  private static final String JOB_WARNING =
      "child pods are preserved by default when jobs are deleted; set"
          + " propagationPolicy=Background to remove them or set propagationPolicy=Orphan to"
          + " suppress this warning";

  private final WriteRules rules;
  private final Lister lister;

  public Deleter(WriteRules rules, Lister lister) {
    this.rules = rules;
    this.lister = lister;
  }

  public Answer delete(Target target, DeleteOptions options) {
    return delete(target, options, _ -> {});
  }

  /// @param lastWords what the mark of deletion takes along, set on the live object
  Answer delete(Target target, DeleteOptions options, Consumer<ObjectNode> lastWords) {
    if (target.kind().names().kind().equals("Job")
        && options.propagation() == DeleteOptions.Propagation.UNSET
        && options.orphanDependents().isEmpty()) {
      target.warnings().accept(JOB_WARNING);
    }
    while (true) {
      Entry<StoredObject> entry =
          rules.store().get(target.kind(), target.namespace(), target.name());
      if (options.ignoreReadError() && !entry.value().isReadable()) {
        requireMaster(target);
        return unread(target, options.dryRun() ? null : rules.store().delete(entry));
      }
      Answer answer = attempt(target, entry, options, lastWords);
      if (answer != null) {
        return answer;
      }
    }
  }

  /// Upstream has a verb of its own for it, which cluster administrators have.
  private static void requireMaster(Target target) {
    if (!target.user().isMaster()) {
      throw ApiException.forbidden(
          target.kind().resource(),
          target.name(),
          "only members of %s may use ignoreStoreReadErrorWithClusterBreakingPotential"
              .formatted(UserInfo.MASTERS));
    }
  }

  /// Nothing is known of the object but its name: no finalizer, no owner, no grace period.
  private static Answer unread(Target target, @Nullable Outcome<StoredObject> outcome) {
    if (outcome instanceof Outcome.Refused<StoredObject>) {
      throw ApiException.staleWrite(target.kind().resource(), target.name());
    }
    return new Answer.Done(
        200,
        new Status(
            200,
            "",
            "",
            Status.Details.of(
                target.name(), target.kind().names().group(), target.kind().names().plural())));
  }

  /// Answers with the items as they were before, and with where to go on when a limit left some.
  public Answer deleteCollection(Target target, ListOptions selection, DeleteOptions options) {
    Answer.Listing listing = lister.list(target, selection);
    for (Entry<StoredObject> entry : listing.items()) {
      Target one =
          new Target(
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
        if (e.status().code() != 404) {
          throw e;
        }
      }
    }
    return listing;
  }

  /// Null when somebody else wrote in between.
  private @Nullable Answer attempt(
      Target target,
      Entry<StoredObject> entry,
      DeleteOptions options,
      Consumer<ObjectNode> lastWords) {
    ResourceKind kind = target.kind();
    ObjectNode live = rules.store().tree(kind, entry.value());
    checkPreconditions(target, live, options);
    rules.validateAdmission(target, Operation.DELETE, null, live, options.dryRun());
    lastWords.accept(live);
    return switch (Deletions.plan(kind, live, options, target.now())) {
      case Deletions.Plan.Unchanged() -> new Answer.Stored(200, entry);
      case Deletions.Plan.Keep(ObjectNode object) ->
          options.dryRun()
              ? new Answer.Tree(200, object)
              : kept(rules.store().replace(kind, object, entry.revision()), options);
      case Deletions.Plan.Remove(ObjectNode object) ->
          options.dryRun()
              ? gone(kind, object)
              : removed(target, object, rules.store().delete(entry));
    };
  }

  private static @Nullable Answer kept(Outcome<StoredObject> outcome, DeleteOptions options) {
    boolean oldForm = options.orphanDependents().isPresent() && !options.orphanDependents().get();
    return outcome instanceof Outcome.Committed<StoredObject>(_, var entry, _) && entry != null
        ? new Answer.Stored(oldForm ? 202 : 200, entry)
        : null;
  }

  private @Nullable Answer removed(
      Target target, ObjectNode object, Outcome<StoredObject> outcome) {
    if (!(outcome instanceof Outcome.Committed<StoredObject>)) {
      return null;
    }
    rules.committed(target, Operation.DELETE, null, object);
    return gone(target.kind(), object);
  }

  private static Answer gone(ResourceKind kind, ObjectNode object) {
    if (kind.behaviour().returnsDeleted()) {
      return new Answer.Tree(200, object);
    }
    Status.Details details =
        Status.Details.of(
                Metadata.text(object, "name"), kind.names().group(), kind.names().plural())
            .withUid(Metadata.text(object, "uid"));
    return new Answer.Done(200, new Status(200, "", "", details));
  }

  private static void checkPreconditions(Target target, ObjectNode live, DeleteOptions options) {
    String uid = Metadata.text(live, "uid");
    String version = Metadata.text(live, "resourceVersion");
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
  private static ApiException preconditionFailed(Target target, String why) {
    ResourceKind kind = target.kind();
    return ApiException.conflict(
        new ApiException.Resource(kind.names().group(), kind.names().kind(), ""),
        target.name(),
        why);
  }
}

package dev.berth.server.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.errors.ApiException;
import dev.berth.server.fields.FieldManager;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.resources.objects.ObjectMetadata;
import dev.berth.server.resources.objects.StoredObject;
import dev.berth.server.resources.requests.RequestBody;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.server.resources.requests.WriteOptions;
import dev.berth.server.validation.FieldError;
import dev.berth.server.validation.fields.OwnerReferenceRules;
import dev.berth.store.StoreEntry;
import dev.berth.store.WriteOutcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Updates of existing objects: PUT, and the retry loop of patches and subresources.
///
/// Every write is conditional on the revision that was read. A refusal by the store means that
/// somebody else wrote; the loop then repeats all steps with the new object, because owners,
/// admission and validation depend on it. A PUT with a resourceVersion does not repeat: its
/// precondition fails on the second pass. A failed attempt means that another writer succeeded, so
/// the loop needs no bound of its own.
public final class UpdateVerb {
  private final WriteRules rules;
  private final CreateVerb creator;

  public UpdateVerb(WriteRules rules, CreateVerb creator) {
    this.rules = rules;
    this.creator = creator;
  }

  /// Computes the new object from the stored one; called again after a concurrent write.
  interface Change {
    /// Returns the new object.
    ///
    /// @param live the stored object, which must not be changed
    ObjectNode apply(ObjectNode live);

    /// Whether `apply` has already updated the managed fields.
    default boolean ownersNoted() {
      return false;
    }
  }

  public VerbAnswer update(RequestTarget target, RequestBody body, WriteOptions options) {
    ObjectNode object = rules.decoder().decode(target, body, options.fieldValidation());
    requireName(target, object);
    ResourceKind kind = target.kind();
    boolean missing = rules.store().find(kind, target.namespace(), target.name()) == null;
    if (missing) {
      // A uid precondition of a deleted object must not create a new one.
      WritePreconditions.checkUid(target, object, "");
      if (kind.behaviour().createOnUpdate() && target.subresource().isEmpty()) {
        ObjectMetadata.of(object).remove("resourceVersion");
        return creator.create(target, object, options);
      }
    } else if (!kind.behaviour().unconditionalUpdate()
        && ObjectMetadata.text(object, "resourceVersion").isEmpty()) {
      throw needsResourceVersion(kind, target.name());
    }
    return modify(target, options, _ -> object.deepCopy());
  }

  private static ApiException needsResourceVersion(ResourceKind kind, String name) {
    FieldError error =
        new FieldError(
            FieldError.Kind.INVALID,
            "metadata.resourceVersion",
            "Invalid value: 0x0: must be specified for an update");
    // Upstream names the plural here, and only here, where the Kind belongs.
    ApiException.Resource resource =
        new ApiException.Resource(kind.names().group(), "", kind.names().plural());
    return ApiException.invalid(resource, name, List.of(error));
  }

  /// The body of a PUT must contain a name.
  static void requireName(RequestTarget target, ObjectNode object) {
    if (ObjectMetadata.text(object, "name").isEmpty()) {
      throw ApiException.badRequest(
          "the name of the object (%s based on URL) was undeterminable: name must be provided"
              .formatted(target.name()));
    }
    checkName(target, object);
  }

  static void checkName(RequestTarget target, ObjectNode object) {
    String name = ObjectMetadata.text(object, "name");
    if (!name.isEmpty() && !name.equals(target.name())) {
      throw ApiException.badRequest(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(name, target.name()));
    }
    String namespace = ObjectMetadata.text(object, "namespace");
    if (target.kind().namespaced()
        && !namespace.isEmpty()
        && !namespace.equals(target.namespace())) {
      throw ApiException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
  }

  /// Reads, changes, checks and writes; repeats after a concurrent write.
  VerbAnswer modify(RequestTarget target, WriteOptions options, Change change) {
    ResourceKind kind = target.kind();
    while (true) {
      StoreEntry<StoredObject> entry = rules.store().get(kind, target.namespace(), target.name());
      ObjectNode live = rules.store().tree(kind, entry.value());
      ObjectNode object = change.apply(live);
      checkName(target, object);
      checkPreconditions(target, object, live);
      object = prepare(target, object, live, options, change.ownersNoted());
      // An unchanged object that is encrypted with an old key is written again, as upstream does.
      // A write that changes nothing gets no revision and no watch event, as upstream has it.
      if (JsonTrees.same(object, live) && !entry.value().isStale()) {
        return new VerbAnswer.Stored(200, entry);
      }
      VerbAnswer answer = write(target, entry, object, live, options);
      if (answer != null) {
        return answer;
      }
    }
  }

  /// A client's outdated resourceVersion is a conflict. A patch without one carries the live
  /// revision and is repeated after a concurrent write.
  private static void checkPreconditions(RequestTarget target, ObjectNode object, ObjectNode live) {
    WritePreconditions.checkUid(target, object, ObjectMetadata.text(live, "uid"));
    String version = ObjectMetadata.text(object, "resourceVersion");
    boolean conditional = !version.isEmpty() && !version.equals("0");
    if (conditional && !version.equals(ObjectMetadata.text(live, "resourceVersion"))) {
      throw ApiException.staleWrite(target.kind().resource(), target.name());
    }
  }

  private ObjectNode prepare(
      RequestTarget target,
      ObjectNode changed,
      ObjectNode live,
      WriteOptions options,
      boolean owned) {
    ObjectNode object = changed;
    OwnerReferenceRules.reduceDuplicates(object, target.warnings());
    ResourceKind kind = target.kind();
    ObjectNode metadata = ObjectMetadata.of(object);
    metadata.put("name", target.name());
    if (kind.namespaced()) {
      metadata.put("namespace", target.namespace());
    }
    metadata.set("resourceVersion", live.path("metadata").path("resourceVersion"));
    ObjectMetadata.keepServerOwned(object, live);
    kind.defaults().apply(object);
    SubresourceRules.prepareUpdate(target, object, live);
    if (!owned) {
      object = rules.owners().note(target, live, object, options);
    }
    rules.admit(target, Operation.UPDATE, object, live, options);
    List<FieldError> errors = SubresourceRules.validateUpdate(target, object, live);
    if (!errors.isEmpty()) {
      throw ApiException.invalid(kind.resource(), target.name(), errors);
    }
    if (!SubresourceRules.isStatus(target) && kind.validator().warnsOnUpdate()) {
      kind.validator().warn(object, target.warnings());
    }
    kind.strategy().canonicalize(object);
    rules.validateAdmission(target, Operation.UPDATE, object, live, options.dryRun());
    return FieldManager.keepTimes(live, object);
  }

  /// Null after a concurrent write.
  private @Nullable VerbAnswer write(
      RequestTarget target,
      StoreEntry<StoredObject> entry,
      ObjectNode object,
      ObjectNode live,
      WriteOptions options) {
    // The write that removes the last finalizer of an object under deletion removes the object.
    boolean last = DeletionDecision.isComplete(target.kind(), object);
    Runnable giveBack = rules.reserve(target, Operation.UPDATE, object, live, options.dryRun());
    if (options.dryRun()) {
      return new VerbAnswer.Tree(200, object);
    }
    WriteOutcome<StoredObject> outcome =
        last
            ? rules.store().delete(entry)
            : rules.store().replace(target.kind(), object, entry.revision());
    return switch (outcome) {
      case WriteOutcome.Committed<StoredObject>(_, var written, _) -> {
        rules.committed(target, Operation.UPDATE, last ? null : object, live);
        yield written == null
            ? new VerbAnswer.Tree(200, object)
            : new VerbAnswer.Stored(200, written);
      }
      case WriteOutcome.Refused<StoredObject>(var current) -> {
        giveBack.run();
        if (current == null) {
          throw ApiException.notFound(target.kind().resource(), target.name());
        }
        yield null;
      }
    };
  }
}

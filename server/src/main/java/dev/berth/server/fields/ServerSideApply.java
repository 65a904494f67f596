package dev.berth.server.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.fields.FieldManager.ApplyResult;
import dev.berth.server.fields.TypedSchema.UnkeyedException;
import dev.berth.server.json.JsonSyntaxException;
import dev.berth.server.json.WrongTypeException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One server-side apply: type check, merge, pruning, ownership.
///
/// `FieldManager` makes an instance for each attempt. The order of the steps is upstream's and
/// visible to clients: a wrong type is reported before an invalid configuration, and both before
/// conflicts. The instance does not write; the verb stores the result, and starts again with a new
/// instance when a concurrent write wins.
final class ServerSideApply {
  private static final String FIRST_OWNER = "before-first-apply";

  private final ServedVersions versions;
  private final WriteContext context;
  private final ObjectNode live;
  private final boolean creates;
  private final ObjectNode applied;
  private final ManagerKey applier;

  ServerSideApply(
      ServedVersions versions,
      WriteContext context,
      @Nullable ObjectNode live,
      ObjectNode applied) {
    this.versions = versions;
    this.context = context;
    this.creates = live == null;
    this.live = live == null ? FieldManager.empty(context.type()) : live;
    this.applied = applied;
    this.applier = ManagerKey.applier(context.manager(), context.subresource());
  }

  ApplyResult run(boolean force) {
    requireType();
    ManagedFields managed = owners();
    try {
      trackFromNowOn(managed);
      requireConfiguration();
      return finish(settle(managed, force), managed);
    } catch (UnkeyedException e) {
      throw failure("failed to create typed live object (%s): %s", live, e.getMessage());
    }
  }

  private void requireType() {
    String version = applied.path("apiVersion").asText();
    String kind = applied.path("kind").asText();
    if (!version.equals(context.apiVersion()) || !kind.equals(context.type().simpleName())) {
      throw ApiException.badRequest(
          "invalid object type: " + WriteContext.qualified(version, kind));
    }
  }

  private ManagedFields owners() {
    try {
      return ManagedFields.decode(FieldManager.managedFields(live));
    } catch (JsonSyntaxException e) {
      throw ApiException.unclassified("failed to decode managed fields: " + e.getMessage());
    }
  }

  /// The fields of an object from before its first apply get a manager of their own.
  private void trackFromNowOn(ManagedFields managed) throws UnkeyedException {
    if (managed.isEmpty() && !creates) {
      ManagerKey owner =
          ManagerKey.updater(FIRST_OWNER, context.apiVersion(), context.subresource());
      ObjectNode nothing = FieldManager.empty(context.type());
      FieldManager.record(
          new FieldChange(versions, context, nothing, live), managed, owner, context);
    }
  }

  private void requireConfiguration() {
    if (applied.path("metadata").path(ManagedFields.FIELD).isArray()) {
      throw ApiException.badRequest("metadata.managedFields must be nil");
    }
    String errors =
        TypeCheck.errors(
            context.type(), applied, path -> versions.advice(context.apiVersion(), path));
    if (!errors.isEmpty()) {
      throw failure("failed to create typed patch object (%s): %s", applied, errors);
    }
  }

  /// Returns the merged object with updated managed fields; null when nothing has changed.
  ///
  /// Ownership is settled even if nothing changed: an applier that states a value which others have
  /// set becomes a co-owner of it.
  private @Nullable ObjectNode settle(ManagedFields managed, boolean force)
      throws UnkeyedException {
    // Normalized first: otherwise equal quantities would conflict and emptied maps would keep their
    // managers.
    ObjectNode merged = normalized(merge(managed));
    ObjectNode before = FieldManager.withManagedFields(live, null);
    FieldChange change = new FieldChange(versions, context, before, merged);
    if (!force) {
      Map<ManagerKey, FieldSet> conflicts = change.conflicts(managed, applier);
      ApplyConflicts.throwIfAny(LastApplied.withoutOwn(conflicts, context, before));
    }
    change.disown(managed, applier);
    return JsonValues.equal(before, merged) ? null : merged;
  }

  private ObjectNode merge(ManagedFields managed) throws UnkeyedException {
    ObjectNode merged = AppliedMerge.merge(context.type(), live, applied);
    ManagedFields.Owned last = managed.get(applier);
    // The new entry is in place before pruning, which restores everything that somebody owns.
    FieldSet fields = FieldSets.of(context.type(), applied).recursiveDifference(context.reset());
    managed.put(applier, fields, context.apiVersion());
    return last == null ? merged : new ApplyPruning(versions, context, managed, last).of(merged);
  }

  private ApplyResult finish(@Nullable ObjectNode merged, ManagedFields managed) {
    ManagedFields.Owned mine = managed.get(applier);
    if (mine != null) {
      managed.put(applier, mine.fields().difference(FieldManager.SYSTEM_FIELDS), mine.apiVersion());
    }
    if (merged != null) {
      managed.touch(applier, context.time());
    }
    ObjectNode object =
        FieldManager.withManagedFields(merged == null ? live : merged, managed.encode());
    return new ApplyResult(LastApplied.refreshed(object, applied, context), merged != null);
  }

  private ObjectNode normalized(ObjectNode object) {
    try {
      return FieldManager.normal(context.type(), FieldManager.withManagedFields(object, null));
    } catch (WrongTypeException e) {
      throw failure(
          "failed to convert new typed object (%s) to object: %s", applied, e.getMessage());
    }
  }

  private ApiException failure(String text, ObjectNode object, @Nullable String why) {
    JsonNode metadata = object.path("metadata");
    String about =
        "%s/%s; %s"
            .formatted(
                metadata.path("namespace").asText(),
                metadata.path("name").asText(),
                context.groupVersionKind());
    return ApiException.unclassified(text.formatted(about, why));
  }
}

package dev.berth.server.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.fields.TypedSchema.UnkeyedException;
import dev.berth.server.json.JsonSyntaxException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.json.TreeNormalizer;
import dev.berth.server.json.WrongTypeException;
import dev.berth.server.schema.ObjectType;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// Keeps `metadata.managedFields` of one kind up to date and applies configurations.
///
/// Objects are in normal form, in the version of the context, and are not changed; results share
/// unchanged parts with them. The manager has no state beyond the kind's versions, so any number of
/// threads may use it. It never writes to the store: the verbs call it inside their retry loop,
/// once per attempt.
public final class FieldManager {
  /// Fields of the system and of the object's identity, which no manager owns.
  static final FieldSet SYSTEM_FIELDS =
      FieldSet.of(
          "apiVersion",
          "kind",
          "metadata",
          "metadata.name",
          "metadata.namespace",
          "metadata.creationTimestamp",
          "metadata.selfLink",
          "metadata.uid",
          "metadata.clusterName",
          "metadata.generation",
          "metadata.managedFields",
          "metadata.resourceVersion");

  private final ServedVersions versions;

  public FieldManager(ServedVersions versions) {
    this.versions = versions;
  }

  /// Returns the object with updated managed fields after a create, a PUT or a patch other than
  /// apply.
  ///
  /// The request may set `managedFields`: a list replaces the stored one, an empty list (or one
  /// with a single empty entry) disables tracking, an absent or invalid one keeps the stored one.
  /// An object with duplicate list keys loses its managed fields, but the write succeeds.
  ///
  /// @param live null on create
  public ObjectNode update(@Nullable ObjectNode live, ObjectNode object, WriteContext context) {
    JsonNode stored = live == null ? null : managedFields(live);
    JsonNode requested = context.subresource().isEmpty() ? managedFields(object) : null;
    // Usually clients send the list back unchanged.
    JsonNode replacement = requested == null || requested.equals(stored) ? null : requested;
    try {
      ObjectNode old = live == null ? empty(context.type()) : live;
      FieldChange change = new FieldChange(versions, context, old, object);
      // A write that changes nothing keeps the stored list byte for byte. A new time alone would
      // make it a write, and controllers that repeat their updates would fill the history of all
      // watchers.
      if (replacement == null && change.difference().isEmpty()) {
        return withManagedFields(object, stored);
      }
      ManagedFields managed =
          replacement == null ? decodeOrEmpty(stored) : requestedOrStored(replacement, stored);
      // An object whose tracking was disabled stays untracked until somebody applies;
      // `ServerSideApply` then gives its fields to `before-first-apply`.
      if (managed.isEmpty() && live != null) {
        return withManagedFields(object, null);
      }
      ManagerKey key =
          ManagerKey.updater(context.manager(), context.apiVersion(), context.subresource());
      record(change, managed, key, context);
      return withManagedFields(object, managed.encode());
    } catch (UnkeyedException _) {
      return withManagedFields(object, null);
    }
  }

  /// Merges a configuration into the live object.
  ///
  /// @param live null when the object is to be created
  /// @param applied the parsed request before normalization, because absence, `null` and unknown
  ///   fields have a meaning here
  /// @throws dev.berth.server.errors.ApiException when it conflicts with other managers and force
  ///   is not set, or does not fit the type
  public ApplyResult apply(
      @Nullable ObjectNode live, ObjectNode applied, WriteContext context, boolean force) {
    return new ServerSideApply(versions, context, live, applied).run(force);
  }

  /// The result of an apply.
  ///
  /// @param changed whether more than `managedFields` differs from the live object
  public record ApplyResult(ObjectNode object, boolean changed) {}

  /// Makes the updater the owner of the changed fields and removes them from other managers.
  ///
  /// Unlike apply, an update owns only what it changes; fields that it repeats with equal values
  /// stay with their managers. An update never conflicts, it takes over.
  static void record(
      FieldChange change, ManagedFields managed, ManagerKey key, WriteContext context)
      throws UnkeyedException {
    // The writer is not spared either: a field that it removes must leave its own entry too. The
    // fields that it wrote come back below.
    change.disown(managed, null);
    FieldSet written = change.difference().written().difference(SYSTEM_FIELDS);
    if (!written.isEmpty()) {
      ManagedFields.Owned before = managed.get(key);
      managed.put(
          key, before == null ? written : before.fields().union(written), context.apiVersion());
      managed.touch(key, context.time());
    }
    managed.capUpdaters();
  }

  private static ManagedFields requestedOrStored(JsonNode requested, @Nullable JsonNode stored) {
    if (isReset(requested)) {
      return new ManagedFields();
    }
    try {
      ManagedFields managed = ManagedFields.decode(requested);
      return managed.isEmpty() ? decodeOrEmpty(stored) : managed;
    } catch (JsonSyntaxException _) {
      return decodeOrEmpty(stored);
    }
  }

  private static ManagedFields decodeOrEmpty(@Nullable JsonNode stored) {
    try {
      return ManagedFields.decode(stored);
    } catch (JsonSyntaxException _) {
      return new ManagedFields();
    }
  }

  private static boolean isReset(JsonNode entries) {
    return entries.isEmpty() || (entries.size() == 1 && entries.get(0).isEmpty());
  }

  /// Normal form omits empty lists; an explicitly empty `managedFields` has a meaning, so it is
  /// restored.
  ///
  /// @param request the tree before normalization
  public static void keepReset(JsonNode request, ObjectNode normal) {
    JsonNode entries = request.path("metadata").path(ManagedFields.FIELD);
    if (entries.isArray()
        && entries.isEmpty()
        && normal.get("metadata") instanceof ObjectNode metadata) {
      metadata.set(ManagedFields.FIELD, JsonTrees.array());
    }
  }

  /// Keeps the old times of `managedFields` when nothing but times differs, so that the write is a
  /// no-op.
  ///
  /// Admission and defaults may undo what the request changed; the entry of the writer has a new
  /// time then although nothing else differs.
  public static ObjectNode keepTimes(ObjectNode old, ObjectNode current) {
    JsonNode before = managedFields(old);
    JsonNode after = managedFields(current);
    if (before == null || after == null || before.size() != after.size() || before.equals(after)) {
      return current;
    }
    for (int i = 0; i < before.size(); i++) {
      if (!withoutTime(before.get(i)).equals(withoutTime(after.get(i)))) {
        return current;
      }
    }
    // Times may stay only if the object is equal as well: a write that changes a value which the
    // manager already owns changes no entry, and its time must move.
    boolean same = JsonValues.equal(withoutBookkeeping(old), withoutBookkeeping(current));
    return same ? withManagedFields(current, before) : current;
  }

  private static JsonNode withoutTime(JsonNode entry) {
    return JsonValues.shallowCopy(entry).without("time");
  }

  private static ObjectNode withoutBookkeeping(ObjectNode object) {
    ObjectNode copy = withManagedFields(object, null);
    if (copy.get("metadata") instanceof ObjectNode metadata) {
      metadata.remove("resourceVersion");
    }
    return copy;
  }

  static @Nullable JsonNode managedFields(ObjectNode object) {
    JsonNode entries = object.path("metadata").get(ManagedFields.FIELD);
    return entries instanceof ArrayNode ? entries : null;
  }

  /// A shallow copy with other `managedFields`; null or an empty list omits them.
  static ObjectNode withManagedFields(ObjectNode object, @Nullable JsonNode entries) {
    ObjectNode copy = JsonValues.shallowCopy(object);
    ObjectNode metadata = JsonValues.shallowCopy(object.path("metadata"));
    metadata.remove(ManagedFields.FIELD);
    if (entries != null && !entries.isEmpty()) {
      metadata.set(ManagedFields.FIELD, entries);
    }
    copy.set("metadata", metadata);
    return copy;
  }

  /// The object before its creation: the parts that every object of the type has.
  static ObjectNode empty(ObjectType type) {
    try {
      return normal(type, JsonTrees.object());
    } catch (WrongTypeException e) {
      throw new IllegalStateException(e);
    }
  }

  static ObjectNode normal(ObjectType type, ObjectNode object) throws WrongTypeException {
    return new TreeNormalizer(new ArrayList<>()).normalize(type, object);
  }
}

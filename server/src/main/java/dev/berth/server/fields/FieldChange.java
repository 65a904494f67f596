package dev.berth.server.fields;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.fields.TypedSchema.UnkeyedException;
import dev.berth.server.schema.ObjectType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A write: compares old and new object in every version in which managers own fields.
///
/// Each manager's entry has the paths of the version in which it wrote, so a comparison in another
/// version would not find them. Comparisons are made on demand and kept, because usually all
/// managers use one version. An instance serves one attempt of one request and is confined to its
/// thread.
final class FieldChange {
  private final ServedVersions versions;
  private final WriteContext context;
  private final VersionedObject old;
  private final VersionedObject current;
  private final Map<String, ObjectComparison> comparisons = new HashMap<>();

  FieldChange(ServedVersions versions, WriteContext context, ObjectNode old, ObjectNode current) {
    this.versions = versions;
    this.context = context;
    this.old = VersionedObject.of(old, context);
    this.current = VersionedObject.of(current, context);
  }

  /// The difference in the request's version.
  ///
  /// The version of the request is always served, so the result is never null.
  ObjectComparison difference() throws UnkeyedException {
    return difference(context.apiVersion(), context.type());
  }

  /// Null when the version is no longer served.
  private @Nullable ObjectComparison difference(String apiVersion) throws UnkeyedException {
    ObjectType type =
        apiVersion.equals(context.apiVersion()) ? context.type() : versions.type(apiVersion);
    return type == null ? null : difference(apiVersion, type);
  }

  private ObjectComparison difference(String apiVersion, ObjectType type) throws UnkeyedException {
    ObjectComparison known = comparisons.get(apiVersion);
    if (known == null) {
      known =
          old.in(apiVersion, type, versions)
              .comparedTo(current.in(apiVersion, type, versions))
              .without(context.reset());
      comparisons.put(apiVersion, known);
    }
    return known;
  }

  /// The fields of other managers that this write changes. The writer's entry already contains the
  /// applied fields: an applied field that is absent was set to an empty value, which normal form
  /// omits.
  Map<ManagerKey, FieldSet> conflicts(ManagedFields managed, ManagerKey writer)
      throws UnkeyedException {
    Map<ManagerKey, FieldSet> conflicts = new TreeMap<>();
    ManagedFields.Owned applied = managed.get(writer);
    FieldSet named = applied == null ? FieldSet.EMPTY : applied.fields();
    for (Map.Entry<ManagerKey, ManagedFields.Owned> owner : managed.owners().entrySet()) {
      ObjectComparison difference = difference(owner.getValue().apiVersion());
      if (difference != null && !owner.getKey().equals(writer)) {
        FieldSet emptied = difference.removed().intersection(named);
        FieldSet lost = owner.getValue().fields().intersection(difference.written().union(emptied));
        if (!lost.isEmpty()) {
          conflicts.put(owner.getKey(), lost);
        }
      }
    }
    return conflicts;
  }

  /// Removes written and deleted fields from all managers but the writer, and entries of versions
  /// that are not served any more.
  void disown(ManagedFields managed, @Nullable ManagerKey writer) throws UnkeyedException {
    for (ManagerKey key : List.copyOf(managed.owners().keySet())) {
      ManagedFields.Owned owned = managed.get(key);
      if (owned == null || key.equals(writer)) {
        continue;
      }
      ObjectComparison difference = difference(owned.apiVersion());
      FieldSet left =
          difference == null
              ? FieldSet.EMPTY
              : owned.fields().difference(difference.written()).difference(difference.removed());
      managed.put(key, left, owned.apiVersion());
    }
  }
}

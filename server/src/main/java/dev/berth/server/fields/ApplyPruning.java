package dev.berth.server.fields;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.fields.TypedSchema.UnkeyedException;
import dev.berth.server.schema.ObjectType;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Removes fields that the applier's last configuration had, the new one lacks, and nobody else
/// owns.
///
/// First removes all fields of the applier with their containers. Then restores owned fields (the
/// new configuration counts), and finally fields that the applier never owned, such as defaults
/// inside of removed containers.
final class ApplyPruning {
  private final ServedVersions versions;
  private final WriteContext context;
  private final ManagedFields managed;
  private final ManagedFields.Owned last;

  ApplyPruning(
      ServedVersions versions,
      WriteContext context,
      ManagedFields managed,
      ManagedFields.Owned last) {
    this.versions = versions;
    this.context = context;
    this.managed = managed;
    this.last = last;
  }

  ObjectNode of(ObjectNode merged) throws UnkeyedException {
    // A version that is no longer served cannot be compared; the applier's old fields stay in the
    // object then.
    ObjectType type = type(last.apiVersion());
    if (type == null) {
      return merged;
    }
    VersionedObject all = convert(VersionedObject.of(merged, context), last.apiVersion());
    VersionedObject pruned = all.without(all.named(last.fields()));
    pruned = convert(addOwned(all, pruned), last.apiVersion());
    FieldSet gone =
        all.fields()
            .difference(pruned.fields())
            .intersection(all.named(last.fields()))
            // Identity is never pruned, even if the last configuration named it and no entry owns
            // it.
            .difference(FieldManager.SYSTEM_FIELDS);
    return convert(all.without(gone), context.apiVersion()).object();
  }

  /// Owned fields are restored in the object's version first, because conversions may need them.
  private VersionedObject addOwned(VersionedObject all, VersionedObject pruned)
      throws UnkeyedException {
    Map<String, FieldSet> owned = new TreeMap<>();
    for (ManagedFields.Owned owner : managed.owners().values()) {
      owned.merge(owner.apiVersion(), owner.fields(), FieldSet::union);
    }
    FieldSet here = owned.remove(all.apiVersion());
    VersionedObject result = here == null ? pruned : addOwned(all, pruned, here);
    for (Map.Entry<String, FieldSet> version : owned.entrySet()) {
      if (type(version.getKey()) != null) {
        result =
            addOwned(
                convert(all, version.getKey()),
                convert(result, version.getKey()),
                version.getValue());
      }
    }
    return result;
  }

  private static VersionedObject addOwned(
      VersionedObject all, VersionedObject pruned, FieldSet owned) throws UnkeyedException {
    FieldSet kept = pruned.fields().union(all.named(owned));
    return all.without(all.fields().difference(kept));
  }

  private @Nullable ObjectType type(String apiVersion) {
    return apiVersion.equals(context.apiVersion()) ? context.type() : versions.type(apiVersion);
  }

  private VersionedObject convert(VersionedObject object, String apiVersion) {
    ObjectType type = type(apiVersion);
    return type == null ? object : object.in(apiVersion, type, versions);
  }
}

package dev.berth.server.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.berth.server.json.JsonSyntaxException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Carries the ownership of `spec.replicas` from an object to its `scale` and back.
///
/// {@link FieldManager} treats the scale as an object of its own: pass it the entries of `toScale`,
/// and merge the resulting entries with `toParent`.
public final class ScaleFields {
  private static final String SCALE_VERSION = "autoscaling/v1";
  private static final FieldSet REPLICAS = FieldSet.of("spec.replicas");

  private ScaleFields() {}

  /// Returns the entries of the scale: all managers that own the object's replicas.
  ///
  /// @param entries the object's `managedFields`
  public static ArrayNode toScale(@Nullable JsonNode entries) {
    ManagedFields scale = new ManagedFields();
    ManagedFields parent = decode(entries);
    parent
        .owners()
        .forEach(
            (key, owned) -> {
              if (ownsReplicas(owned)) {
                scale.put(key, REPLICAS, SCALE_VERSION);
                touch(scale, key, parent);
              }
            });
    return scale.encode();
  }

  /// Returns the object's entries after a write of its scale; as upstream, a manager that was added
  /// through the scale has no time.
  ///
  /// A manager loses the replicas if it is absent in the scale's entries: another manager took them
  /// there.
  public static ArrayNode toParent(
      @Nullable JsonNode entries, @Nullable JsonNode scaleEntries, String apiVersion) {
    ManagedFields parent = decode(entries);
    ManagedFields scale = decode(scaleEntries);
    ManagedFields result = new ManagedFields();
    parent
        .owners()
        .forEach(
            (key, owned) -> {
              boolean stolen =
                  ownsReplicas(owned) && scale.get(inVersion(key, SCALE_VERSION)) == null;
              result.put(
                  key,
                  stolen ? owned.fields().difference(REPLICAS) : owned.fields(),
                  owned.apiVersion());
              touch(result, key, parent);
            });
    for (Map.Entry<ManagerKey, ManagedFields.Owned> owner : scale.owners().entrySet()) {
      ManagerKey key = inVersion(owner.getKey(), apiVersion);
      ManagedFields.Owned before = result.get(key);
      if (ownsReplicas(owner.getValue())) {
        FieldSet fields = before == null ? REPLICAS : before.fields().union(REPLICAS);
        result.put(key, fields, apiVersion);
      }
    }
    return result.encode();
  }

  private static ManagerKey inVersion(ManagerKey key, String apiVersion) {
    return key.applier() ? key : ManagerKey.updater(key.manager(), apiVersion, key.subresource());
  }

  private static boolean ownsReplicas(ManagedFields.Owned owned) {
    return !owned.fields().intersection(REPLICAS).isEmpty();
  }

  private static void touch(ManagedFields target, ManagerKey key, ManagedFields source) {
    String time = source.time(key);
    if (time != null) {
      target.touch(key, time);
    }
  }

  private static ManagedFields decode(@Nullable JsonNode entries) {
    try {
      return ManagedFields.decode(entries);
    } catch (JsonSyntaxException _) {
      return new ManagedFields();
    }
  }
}

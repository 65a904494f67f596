package dev.berth.server.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonSyntaxException;
import dev.berth.server.json.JsonTrees;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The decoded entries of `metadata.managedFields`.
///
/// Mutable and confined to one request; iteration is in the order of the keys.
final class ManagedFields {
  static final String FIELD = "managedFields";
  static final String APPLY = "Apply";
  static final String UPDATE = "Update";

  /// Upstream's bound on entries of updaters, which merges the oldest.
  private static final int MAX_UPDATERS = 10;

  private static final String OLD_UPDATES = "ancient-changes";

  /// The fields of one manager, in the version of its writes.
  record Owned(FieldSet fields, String apiVersion) {}

  private final Map<ManagerKey, Owned> owners = new TreeMap<>();
  // Separate from the entries, because an entry that is removed and added again keeps its time.
  private final Map<ManagerKey, String> times = new TreeMap<>();

  Map<ManagerKey, Owned> owners() {
    return owners;
  }

  boolean isEmpty() {
    return owners.isEmpty();
  }

  @Nullable Owned get(ManagerKey key) {
    return owners.get(key);
  }

  /// Sets the fields of a manager; removes a manager without fields.
  ///
  /// A manager without fields has no entry, except in `times`, which a later entry uses again.
  void put(ManagerKey key, FieldSet fields, String apiVersion) {
    if (fields.isEmpty()) {
      owners.remove(key);
    } else {
      owners.put(key, new Owned(fields, apiVersion));
    }
  }

  void touch(ManagerKey key, String time) {
    times.put(key, time);
  }

  @Nullable String time(ManagerKey key) {
    return times.get(key);
  }

  /// Decodes the list of an object.
  ///
  /// @param entries null or missing for an object without any
  static ManagedFields decode(@Nullable JsonNode entries) throws JsonSyntaxException {
    ManagedFields managed = new ManagedFields();
    if (entries == null) {
      return managed;
    }
    int index = 0;
    for (JsonNode entry : entries) {
      managed.decodeEntry(entry, index++);
    }
    return managed;
  }

  private void decodeEntry(JsonNode entry, int index) throws JsonSyntaxException {
    String operation = entry.path("operation").asText();
    String apiVersion = entry.path("apiVersion").asText();
    String type = entry.path("fieldsType").asText();
    if (!operation.equals(APPLY) && !operation.equals(UPDATE)) {
      throw new JsonSyntaxException("operation must be `Apply` or `Update`");
    }
    if (apiVersion.isEmpty()) {
      throw new JsonSyntaxException("apiVersion must not be empty");
    }
    if (!type.equals("FieldsV1")) {
      throw new JsonSyntaxException(
          type.isEmpty()
              ? "missing fieldsType in managed fields entry " + index
              : "invalid fieldsType \"" + type + "\" in managed fields entry " + index);
    }
    boolean applier = operation.equals(APPLY);
    ManagerKey key =
        new ManagerKey(
            entry.path("manager").asText(),
            applier,
            applier ? "" : apiVersion,
            entry.path("subresource").asText());
    JsonNode fields = entry.get("fieldsV1");
    owners.put(
        key,
        new Owned(
            fields == null || fields.isNull() ? FieldSet.EMPTY : FieldsV1.decode(fields),
            apiVersion));
    if (entry.path("time").isTextual()) {
      times.put(key, entry.path("time").textValue());
    }
  }

  /// Encodes the list in the API's order: appliers first, then by time, manager, version,
  /// subresource.
  ArrayNode encode() {
    List<ManagerKey> keys = new ArrayList<>(owners.keySet());
    // Times are whole seconds in UTC, so their text sorts chronologically; an absent time is the
    // oldest.
    Comparator<ManagerKey> order =
        Comparator.comparing(ManagerKey::operation)
            .thenComparing(key -> times.getOrDefault(key, ""))
            .thenComparing(ManagerKey::manager)
            .thenComparing(this::apiVersion)
            .thenComparing(ManagerKey::subresource);
    keys.sort(order);
    ArrayNode entries = JsonTrees.array();
    for (ManagerKey key : keys) {
      ObjectNode entry = entries.addObject();
      entry.put("manager", key.manager()).put("operation", key.operation());
      entry.put("apiVersion", apiVersion(key));
      String time = times.get(key);
      if (time != null) {
        entry.put("time", time);
      }
      entry.put("fieldsType", "FieldsV1");
      entry.set("fieldsV1", FieldsV1.encode(fields(key)));
      if (!key.subresource().isEmpty()) {
        entry.put("subresource", key.subresource());
      }
    }
    return entries;
  }

  private String apiVersion(ManagerKey key) {
    Owned owned = owners.get(key);
    return owned == null ? key.apiVersion() : owned.apiVersion();
  }

  private FieldSet fields(ManagerKey key) {
    Owned owned = owners.get(key);
    return owned == null ? FieldSet.EMPTY : owned.fields();
  }

  /// Merges the oldest updaters, per version, until no more than ten are left.
  ///
  /// Every version of a client with a new name would otherwise add an entry for ever. Only updaters
  /// are merged: an applier's entry is its last configuration, without which pruning would not
  /// work. Two entries of one version merge into one, so a single old entry of a version stays as
  /// it is.
  void capUpdaters() {
    List<ManagerKey> updaters =
        new ArrayList<>(owners.keySet().stream().filter(key -> !key.applier()).toList());
    int count = updaters.size();
    if (count <= MAX_UPDATERS) {
      return;
    }
    updaters.sort(
        Comparator.<ManagerKey, String>comparing(key -> times.getOrDefault(key, ""))
            .thenComparing(Comparator.naturalOrder()));
    // Paths of different versions do not mix; each version has a bucket of its own.
    Map<String, ManagerKey> oldest = new TreeMap<>();
    for (ManagerKey updater : updaters) {
      if (count <= MAX_UPDATERS) {
        return;
      }
      ManagerKey first = oldest.putIfAbsent(apiVersion(updater), updater);
      if (first != null) {
        moveToBucket(first);
        moveToBucket(updater);
        count--;
      }
    }
  }

  private void moveToBucket(ManagerKey updater) {
    Owned owned = owners.remove(updater);
    if (owned != null) {
      ManagerKey bucket = ManagerKey.updater(OLD_UPDATES, owned.apiVersion(), "");
      put(bucket, fields(bucket).union(owned.fields()), owned.apiVersion());
      String time = times.get(updater);
      if (time != null) {
        times.put(bucket, time);
      }
    }
  }
}

package dev.berth.server.resources.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.JsonTrees;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An object in memory: the JSON that is sent and the fields that selectors use.
///
/// The JSON has neither `kind` nor `apiVersion`: list items are sent that way, and for a single
/// object or a watch event both are written in front. It always starts with
/// `{"metadata":{"resourceVersion":"N",`.
///
/// Instances are immutable and shared by all readers, watches and the history of the store.
public final class StoredObject {
  private final byte[] json;
  private final Map<String, String> labels;
  private final Map<String, String> fields;

  /// The reason why the value cannot be read, with the remedy; null when it can.
  private final @Nullable String problem;

  private final boolean stale;

  StoredObject(byte[] json, Map<String, String> labels, Map<String, String> fields) {
    this(json, labels, fields, null, false);
  }

  private StoredObject(
      byte[] json,
      Map<String, String> labels,
      Map<String, String> fields,
      @Nullable String problem,
      boolean stale) {
    this.json = json;
    this.labels = labels;
    this.fields = fields;
    this.problem = problem;
    this.stale = stale;
  }

  /// An existing object whose value cannot be decrypted: unreadable is not absent.
  ///
  /// Name and namespace follow from the key, so that lists can say which object it is.
  static StoredObject unreadable(String key, String problem) {
    String[] parts = key.split("/", -1);
    Map<String, String> fields = new HashMap<>();
    fields.put("metadata.name", parts[parts.length - 1]);
    if (parts.length > 2) {
      fields.put("metadata.namespace", parts[1]);
    }
    return new StoredObject(new byte[0], Map.of(), Map.copyOf(fields), problem, false);
  }

  /// Marks the object as stored in an outdated form, for example with an old key.
  StoredObject asStale() {
    return new StoredObject(json, labels, fields, problem, true);
  }

  public boolean isStale() {
    return stale;
  }

  public boolean isReadable() {
    return problem == null;
  }

  /// Refuses to go on with a value that cannot be decrypted or decoded.
  ///
  /// Does nothing when the value is readable.
  ///
  /// @throws ApiException 500 when the value cannot be read
  public void requireReadable() {
    if (problem != null) {
      throw ApiException.internal(problem);
    }
  }

  /// The bytes to send; callers must not change them.
  public byte[] json() {
    requireReadable();
    return json;
  }

  /// The JSON with another revision: a deleted object is sent with the revision of its deletion.
  public byte[] jsonAt(long revision) {
    return ObjectCodec.restamp(json(), revision);
  }

  public Map<String, String> labels() {
    return labels;
  }

  /// The value of a selectable field, "" when the object lacks it.
  public String field(String name) {
    return fields.getOrDefault(name, "");
  }

  public String name() {
    return field("metadata.name");
  }

  public String namespace() {
    return field("metadata.namespace");
  }

  /// A fresh tree that the caller may change; without `kind` and `apiVersion`.
  public ObjectNode tree() {
    return (ObjectNode) JsonTrees.parseTrusted(json());
  }
}

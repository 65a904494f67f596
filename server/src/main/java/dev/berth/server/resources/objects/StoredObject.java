package dev.berth.server.resources.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.JsonTrees;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An object as the memory holds it: the JSON that is sent, and beside it what selectors look at.
///
/// The JSON lacks `kind` and `apiVersion`: list items are sent as they are, for a single object and
/// a watch event the two are written in front. It always starts with
/// `{"metadata":{"resourceVersion":"N",`.
public final class StoredObject {
  private final byte[] json;
  private final Map<String, String> labels;
  private final Map<String, String> fields;

  /// Why its value cannot be read, and what to do; null when it can.
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

  /// One that is there and has a name, but whose value cannot be decrypted: unknown is not absent.
  static StoredObject unreadable(String key, String problem) {
    String[] parts = key.split("/", -1);
    Map<String, String> fields = new HashMap<>();
    fields.put("metadata.name", parts[parts.length - 1]);
    if (parts.length > 2) {
      fields.put("metadata.namespace", parts[1]);
    }
    return new StoredObject(new byte[0], Map.of(), Map.copyOf(fields), problem, false);
  }

  /// The same, known not to be stored as it would be now, e.g. with an old key.
  StoredObject asStale() {
    return new StoredObject(json, labels, fields, problem, true);
  }

  public boolean isStale() {
    return stale;
  }

  public boolean isReadable() {
    return problem == null;
  }

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

  /// The JSON with another revision in its place: a deleted object is sent with that of its
  /// deletion.
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

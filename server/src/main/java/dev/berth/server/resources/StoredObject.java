package dev.berth.server.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.Json;
import java.util.Map;

/// An object as the memory holds it: the JSON that is sent, and beside it what selectors look at.
///
/// The JSON lacks `kind` and `apiVersion`: list items are sent as they are, for a single object and
/// a watch event the two are written in front. It always starts with
/// `{"metadata":{"resourceVersion":"N",`.
public final class StoredObject {
  private final byte[] json;
  private final Map<String, String> labels;
  private final Map<String, String> fields;

  StoredObject(byte[] json, Map<String, String> labels, Map<String, String> fields) {
    this.json = json;
    this.labels = labels;
    this.fields = fields;
  }

  /// The bytes to send; callers must not change them.
  public byte[] json() {
    return json;
  }

  /// The JSON with another revision in its place: a deleted object is sent with that of its
  /// deletion.
  public byte[] jsonAt(long revision) {
    return ObjectCodec.restamp(json, revision);
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
    return (ObjectNode) Json.parseTrusted(json);
  }
}

package dev.berth.server.schema;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A named type such as `core.v1.PodSpec`: its fields, and whether server-side apply treats it as
/// atomic.
///
/// Types are compared by identity; there is one instance per name.
public final class ObjectType {
  private final String name;
  // {@link ObjectSchema} fills it while it loads; constant afterwards. Not a constructor argument,
  // because types refer to each other in cycles.
  private final Map<String, SchemaField> fields = new LinkedHashMap<>();
  private boolean atomic;

  ObjectType(String name) {
    this.name = name;
  }

  void add(SchemaField field) {
    fields.put(field.name(), field);
  }

  void markAtomic() {
    atomic = true;
  }

  public String name() {
    return name;
  }

  /// The name without its group and version: `PodSpec`.
  public String simpleName() {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /// The Go package alias that upstream prints in messages: `v1` of `core.v1.PodSpec`.
  public String version() {
    int last = name.lastIndexOf('.');
    return name.substring(name.lastIndexOf('.', last - 1) + 1, last);
  }

  public @Nullable SchemaField field(String fieldName) {
    return fields.get(fieldName);
  }

  public Collection<SchemaField> fields() {
    return fields.values();
  }

  /// Whether server-side apply owns the object as a whole.
  public boolean atomic() {
    return atomic;
  }

  @Override
  public String toString() {
    return name;
  }
}

package dev.berth.server.schema;

/// The form of a value: a scalar, a list, a map with string keys, or an object with named fields.
public sealed interface ValueShape {
  /// A value without parts (or, for `RAW` and `FIELDS`, with parts that nothing interprets).
  enum Scalar implements ValueShape {
    STRING,
    BYTES,
    INT32,
    INT64,
    BOOL,
    TIME,
    MICRO_TIME,
    QUANTITY,
    INT_OR_STRING,
    FIELDS,
    RAW
  }

  record ListOf(ValueShape element) implements ValueShape {}

  record MapOf(ValueShape value) implements ValueShape {}

  /// An object with named fields; compared by identity of its type, because types refer to each
  /// other in cycles.
  record Struct(ObjectType type) implements ValueShape {
    @Override
    public String toString() {
      return type.name();
    }
  }
}

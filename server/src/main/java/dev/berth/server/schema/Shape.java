package dev.berth.server.schema;

/// The form of a value: a scalar, a list, a map with string keys, or an object with named fields.
public sealed interface Shape {
  /// A value without parts (or, for `RAW` and `FIELDS`, with parts that nobody looks into).
  enum Scalar implements Shape {
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

  record ListOf(Shape element) implements Shape {}

  record MapOf(Shape value) implements Shape {}

  /// An object with named fields; a class and not a record because types refer to each other in
  /// cycles.
  record Struct(ObjectType type) implements Shape {
    @Override
    public String toString() {
      return type.name();
    }
  }
}

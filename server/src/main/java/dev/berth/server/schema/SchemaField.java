package dev.berth.server.schema;

/// A field of an object type: how JSON, protobuf and merging treat it.
///
/// @param omitEmpty an empty value is left out of the JSON (a plain object never is: it prints as
///   `{}`)
/// @param pointer absence differs from the zero value, so `0`, `false` and `""` are kept
/// @param number the protobuf field number, 0 when it has none
/// @param inlinedIn the protobuf number of the message around it, for a field that JSON has one
///   level higher; 0 for all others
/// @param schemaDefault the default that OpenAPI publishes and apply uses for list keys, as JSON
///   text; "" for none
public record SchemaField(
    String name,
    ValueShape shape,
    boolean required,
    boolean omitEmpty,
    boolean pointer,
    int number,
    int inlinedIn,
    String schemaDefault,
    MergeRule merge) {}

package dev.berth.server.fields;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.fields.TypedSchema.UnkeyedException;
import dev.berth.server.json.WrongTypeException;
import dev.berth.server.schema.ObjectType;

/// An object together with its version, so that paths are only used with objects of the version
/// that they belong to. Immutable: every operation returns a new object that shares unchanged
/// parts.
record VersionedObject(ObjectNode object, String apiVersion, ObjectType type) {

  static VersionedObject of(ObjectNode object, WriteContext context) {
    return new VersionedObject(object, context.apiVersion(), context.type());
  }

  /// Converts the object; normalizes it first, because conversions expect complete objects.
  VersionedObject in(String otherVersion, ObjectType otherType, ServedVersions versions) {
    if (otherVersion.equals(apiVersion)) {
      return this;
    }
    try {
      ObjectNode whole = FieldManager.normal(type, object);
      return new VersionedObject(
          versions.convert(whole, apiVersion, otherVersion), otherVersion, otherType);
    } catch (WrongTypeException e) {
      throw ApiException.unclassified(
          "failed to convert object to version " + otherVersion + ": " + e.getMessage());
    }
  }

  ObjectComparison comparedTo(VersionedObject current) throws UnkeyedException {
    return ObjectComparison.of(type, object, current.object());
  }

  /// Returns the paths of the object, containers included.
  FieldSet fields() throws UnkeyedException {
    return named(FieldSets.of(type, object));
  }

  FieldSet named(FieldSet set) {
    return FieldSets.withNamedFields(set, type);
  }

  VersionedObject without(FieldSet paths) throws UnkeyedException {
    return new VersionedObject(PathRemoval.remove(type, object, paths), apiVersion, type);
  }
}

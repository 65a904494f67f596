package dev.berth.server.fields;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.fields.Typed.UnkeyedException;
import dev.berth.server.json.WrongTypeException;
import dev.berth.server.schema.ObjectType;

/// An object and the version it is in.
record Versioned(ObjectNode object, String apiVersion, ObjectType type) {

  static Versioned of(ObjectNode object, Context context) {
    return new Versioned(object, context.apiVersion(), context.type());
  }

  /// The same object in another version; what apply left half-made becomes whole on the way,
  /// because conversions expect that.
  Versioned in(String otherVersion, ObjectType otherType, Versions versions) {
    if (otherVersion.equals(apiVersion)) {
      return this;
    }
    try {
      ObjectNode whole = FieldManager.normal(type, object);
      return new Versioned(
          versions.convert(whole, apiVersion, otherVersion), otherVersion, otherType);
    } catch (WrongTypeException e) {
      throw ApiException.unclassified(
          "failed to convert object to version " + otherVersion + ": " + e.getMessage());
    }
  }

  Comparison comparedTo(Versioned current) throws UnkeyedException {
    return Comparison.of(type, object, current.object());
  }

  /// Its fields, with those that lead to others.
  FieldSet fields() throws UnkeyedException {
    return named(FieldSets.of(type, object));
  }

  FieldSet named(FieldSet set) {
    return FieldSets.withNamedFields(set, type);
  }

  Versioned without(FieldSet paths) throws UnkeyedException {
    return new Versioned(Removal.remove(type, object, paths), apiVersion, type);
  }
}

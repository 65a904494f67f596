package dev.berth.server.fields;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.schema.ObjectType;
import org.jspecify.annotations.Nullable;

/// The versions in which a kind is served: fields recorded in one are compared in that one.
public interface ServedVersions {
  /// The kind's type in a version; null when it is not served.
  @Nullable ObjectType type(String apiVersion);

  /// A new tree in normal form, without touching the given one.
  ObjectNode convert(ObjectNode object, String from, String to);

  /// What to add to a refusal of a field that a version does not have: the versions that have the
  /// field; empty when there are none.
  default String advice(String apiVersion, String path) {
    return "";
  }

  /// A kind with a single version.
  static ServedVersions only(String onlyVersion, ObjectType type) {
    return new ServedVersions() {
      @Override
      public @Nullable ObjectType type(String apiVersion) {
        return apiVersion.equals(onlyVersion) ? type : null;
      }

      @Override
      public ObjectNode convert(ObjectNode object, String from, String to) {
        return object;
      }
    };
  }
}

package dev.berth.server.fields;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.schema.ObjectType;
import org.jspecify.annotations.Nullable;

/// The versions in which a kind is served; fields are compared in the version in which they were
/// recorded.
public interface ServedVersions {
  /// The kind's type in a version; null when it is not served.
  @Nullable ObjectType type(String apiVersion);

  /// Converts a tree; the result is a new tree in normal form.
  ObjectNode convert(ObjectNode object, String from, String to);

  /// Advice about a field that a version lacks: the versions that have it; empty when there are
  /// none.
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

package dev.berth.server.resources.requests;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.schema.ObjectType;

/// The expected kind and version of a request body.
///
/// @param group group of the stored kind, for messages
/// @param apiVersion the version of the request
public record BodyType(String group, String apiVersion, String kind, ObjectType type) {

  /// A kind with a single version and the name of its type.
  public static BodyType of(String apiVersion, ObjectType type) {
    return new BodyType(groupOf(apiVersion), apiVersion, type.simpleName(), type);
  }

  public static BodyType of(RequestTarget target) {
    return new BodyType(
        target.kind().names().group(),
        target.version().apiVersion(),
        target.kind().names().kind(),
        target.version().type());
  }

  /// Whether an object has the expected kind and version; absent ones fit.
  public boolean fits(ObjectNode object) {
    String sentKind = object.path("kind").asText("");
    String sentVersion = object.path("apiVersion").asText("");
    return (sentKind.isEmpty() || sentKind.equals(kind))
        && (sentVersion.isEmpty() || sentVersion.equals(apiVersion));
  }

  /// Sets the kind and the version of an object, which a client may leave out.
  ObjectNode typed(ObjectNode object) {
    return object.put("kind", kind).put("apiVersion", apiVersion);
  }

  /// The error for an object of this type with invalid fields.
  public ApiException cannotHandle(String why) {
    return ApiException.badRequest(
        "%1$s in version \"%2$s\" cannot be handled as a %1$s: %3$s"
            .formatted(kind, versionOf(apiVersion), why));
  }

  static String groupOf(String apiVersion) {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }

  static String versionOf(String apiVersion) {
    return apiVersion.substring(apiVersion.indexOf('/') + 1);
  }
}

package dev.berth.server.resources.requests;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.schema.ObjectType;

/// What the body of a request must be.
///
/// @param group of the kind as it is stored, which messages name
/// @param apiVersion of the request
public record BodyType(String group, String apiVersion, String kind, ObjectType type) {

  /// A kind with one version, named as its type is.
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

  /// An object that leaves its kind or version out is taken for what was expected.
  public boolean fits(ObjectNode object) {
    String sentKind = object.path("kind").asText("");
    String sentVersion = object.path("apiVersion").asText("");
    return (sentKind.isEmpty() || sentKind.equals(kind))
        && (sentVersion.isEmpty() || sentVersion.equals(apiVersion));
  }

  /// An object of this type whose fields are wrong.
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

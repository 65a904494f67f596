package dev.berth.server.openapi;

import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;

/// A method on a path.
///
/// @param method in lower case, as both dialects spell it
/// @param action upstream's action, e.g. `list`; "" for discovery
/// @param query names of its query parameters
/// @param body definition of the request's body
/// @param answers definition of the answer by status code; "" means plain text
record OpenApiOperation(
    String method,
    String action,
    String id,
    String description,
    String tag,
    List<String> query,
    Optional<String> body,
    NavigableMap<Integer, String> answers,
    Optional<GroupVersionKind> gvk) {
  OpenApiOperation {
    query = List.copyOf(query);
  }

  boolean isPatch() {
    return body.isPresent() && body.get().equals(BuiltInDefinitions.PATCH);
  }

  /// Lists may be watched, so their media types include streams.
  List<String> produces() {
    if (answers.containsValue("")) {
      return action.equals("connect") ? MediaTypes.ANY : MediaTypes.TEXT;
    }
    return switch (action) {
      case "list", "watch", "watchlist" -> MediaTypes.STREAMED;
      default -> MediaTypes.OBJECT;
    };
  }

  List<String> consumes() {
    return isPatch() ? MediaTypes.PATCH : MediaTypes.ANY;
  }
}

package dev.berth.server.openapi;

import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ServedVersion;
import dev.berth.server.kinds.Subresource;
import dev.berth.server.kinds.Verb;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The paths below one object, such as `pods/x/status` and `pods/x/exec`.
///
/// Connections such as exec are described with the action `connect` and a plain text answer,
/// because OpenAPI cannot describe an upgraded connection.
final class SubresourceEndpoints {
  private final ResourceKind kind;
  private final ServedVersion served;
  private final String item;

  SubresourceEndpoints(ResourceKind kind, ServedVersion served, String item) {
    this.kind = kind;
    this.served = served;
    this.item = item;
  }

  List<OpenApiPath> of(Subresource sub) {
    String path = item + "/" + sub.name();
    if (!sub.kind().endsWith("Options")) {
      return List.of(OpenApiPath.of(path, onObject(sub)));
    }
    OpenApiPath plain = OpenApiPath.of(path, connections(sub, ""));
    return sub.name().equals("proxy")
        ? List.of(plain, OpenApiPath.of(path + "/{path}", connections(sub, "WithPath")))
        : List.of(plain);
  }

  private List<OpenApiOperation> onObject(Subresource sub) {
    OpenApiOperations operations = operations(sub);
    if (sub.name().equals("log")) {
      return List.of(operations.readLog(id("read", "", sub)));
    }
    String definition = definition(sub);
    return sub.verbs().stream()
        .sorted()
        .flatMap(verb -> onObject(operations, verb, definition, sub).stream())
        .toList();
  }

  private Optional<OpenApiOperation> onObject(
      OpenApiOperations operations, Verb verb, String definition, Subresource sub) {
    return switch (verb) {
      case GET -> Optional.of(operations.read(id("read", "", sub), definition));
      case CREATE -> Optional.of(operations.create(id("create", "", sub), definition));
      case UPDATE -> Optional.of(operations.replace(id("replace", "", sub), definition));
      case PATCH -> Optional.of(operations.patch(id("patch", "", sub), definition));
      case DELETE, DELETECOLLECTION, LIST, WATCH -> Optional.empty();
    };
  }

  private List<OpenApiOperation> connections(Subresource sub, String suffix) {
    OpenApiOperations operations = operations(sub);
    return methods(sub)
        .map(
            method ->
                operations.connect(
                    method,
                    id("connect", method, sub) + suffix,
                    QueryParameters.connect(sub.name())))
        .toList();
  }

  private static Stream<String> methods(Subresource sub) {
    Stream<String> proxyOnly =
        sub.name().equals("proxy") ? Stream.of("Head", "Options") : Stream.empty();
    return Stream.concat(
        sub.verbs().stream()
            .sorted()
            .map(
                verb ->
                    switch (verb) {
                      case CREATE -> "Post";
                      case UPDATE -> "Put";
                      case PATCH -> "Patch";
                      case DELETE, DELETECOLLECTION -> "Delete";
                      case GET, LIST, WATCH -> "Get";
                    }),
        proxyOnly);
  }

  private OpenApiOperations operations(Subresource sub) {
    GroupVersionKind gvk =
        sub.version().isEmpty()
            ? new GroupVersionKind(served.group(), served.version(), sub.kind())
            : new GroupVersionKind(sub.group(), sub.version(), sub.kind());
    return new OpenApiOperations(OpenApiNames.tag(served.group(), served.version()), gvk);
  }

  private String definition(Subresource sub) {
    if (sub.kind().equals(kind.names().kind())) {
      return OpenApiNames.definition(served.type().name());
    }
    return OpenApiNames.definition(
        sub.version().isEmpty()
            ? OpenApiNames.type(served.group(), served.version(), sub.kind())
            : OpenApiNames.type(sub.group(), sub.version(), sub.kind()));
  }

  private String id(String word, String method, Subresource sub) {
    return word
        + OpenApiNames.groupVersion(served.group(), served.version())
        + method
        + (kind.namespaced() ? "Namespaced" : "")
        + kind.names().kind()
        + OpenApiNames.capital(sub.name());
  }
}

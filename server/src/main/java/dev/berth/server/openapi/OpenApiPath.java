package dev.berth.server.openapi;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A path with its methods.
///
/// @param pathParameters names in braces, without them
record OpenApiPath(String path, List<String> pathParameters, List<OpenApiOperation> operations) {
  OpenApiPath {
    pathParameters = List.copyOf(pathParameters);
    operations = List.copyOf(operations);
  }

  static OpenApiPath of(String path, List<OpenApiOperation> operations) {
    List<String> names =
        Stream.of("name", "namespace", "path")
            .filter(name -> path.contains("{" + name + "}"))
            .toList();
    return new OpenApiPath(path, names, operations);
  }

  /// Definitions that bodies and answers refer to.
  Stream<String> definitions() {
    return operations.stream()
        .flatMap(
            operation ->
                Stream.concat(
                    operation.body().stream(),
                    operation.answers().values().stream().filter(name -> !name.isEmpty())));
  }

  Optional<OpenApiOperation> operation(String method) {
    return operations.stream().filter(one -> one.method().equals(method)).findFirst();
  }
}

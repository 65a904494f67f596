package dev.berth.server.openapi;

import java.util.List;

/// The lists of media types in the documents.
final class MediaTypes {
  static final List<String> ANY = List.of("*/*");
  static final List<String> TEXT = List.of("text/plain");
  static final List<String> OBJECT =
      List.of("application/json", "application/yaml", "application/vnd.kubernetes.protobuf");
  static final List<String> STREAMED =
      List.of(
          "application/json",
          "application/yaml",
          "application/vnd.kubernetes.protobuf",
          "application/json;stream=watch",
          "application/vnd.kubernetes.protobuf;stream=watch");
  static final List<String> PATCH =
      List.of(
          "application/json-patch+json",
          "application/merge-patch+json",
          "application/strategic-merge-patch+json",
          "application/apply-patch+yaml");

  private MediaTypes() {}
}

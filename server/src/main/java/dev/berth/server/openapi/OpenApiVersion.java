package dev.berth.server.openapi;

/// The version of OpenAPI of a document part.
enum OpenApiVersion {
  V2("#/definitions/"),
  V3("#/components/schemas/");

  private final String prefix;

  OpenApiVersion(String prefix) {
    this.prefix = prefix;
  }

  String reference(String definition) {
    return prefix + definition;
  }
}

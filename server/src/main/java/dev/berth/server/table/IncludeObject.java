package dev.berth.server.table;

import java.util.Optional;

/// How much of the object a row carries besides its cells; the query parameter of the same name.
public enum IncludeObject {
  NONE,
  METADATA,
  OBJECT;

  /// Empty when the parameter has a value that is none of `None`, `Metadata`, `Object`.
  public static Optional<IncludeObject> parse(String parameter) {
    return switch (parameter) {
      case "None" -> Optional.of(NONE);
      case "Metadata", "" -> Optional.of(METADATA);
      case "Object" -> Optional.of(OBJECT);
      default -> Optional.empty();
    };
  }
}

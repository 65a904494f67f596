package dev.berth.server.table;

import java.util.Optional;

/// The part of the object in each row, from the query parameter of the same name.
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

package dev.berth.server.kinds;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The verbs of resources, with their names in discovery and RBAC.
///
/// HTTP methods become verbs in `RequestInfo`; a GET of a collection is a list.
public enum Verb {
  CREATE,
  DELETE,
  DELETECOLLECTION,
  GET,
  LIST,
  PATCH,
  UPDATE,
  WATCH;

  private static final Map<String, Verb> BY_NAME =
      Arrays.stream(values()).collect(Collectors.toMap(Verb::toString, Function.identity()));

  /// Finds a verb by its name in RBAC; empty for other methods of HTTP.
  public static Optional<Verb> find(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  /// Whether the verb leaves the store unchanged.
  public boolean isRead() {
    return this == GET || this == LIST || this == WATCH;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}

package dev.berth.server.kinds;

import java.util.Locale;

/// The verbs of resources, with their names in discovery and RBAC.
public enum Verb {
  CREATE,
  DELETE,
  DELETECOLLECTION,
  GET,
  LIST,
  PATCH,
  UPDATE,
  WATCH;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}

package dev.berth.server.kinds;

import java.util.Locale;

/// What can be asked of a resource; the names are those of discovery and RBAC.
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

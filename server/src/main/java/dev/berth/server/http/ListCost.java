package dev.berth.server.http;

import dev.berth.server.kinds.Kinds;
import dev.berth.server.resources.ObjectStore;
import dev.berth.server.resources.Query;
import java.util.Set;

/// Tells requests that go over many objects from others.
final class ListCost {
  /// From so many objects on a request needs a seat.
  static final int MANY = 200;

  private static final Set<String> VERBS = Set.of("list", "deletecollection");

  private final ObjectStore store;
  private final Kinds kinds;

  ListCost(ObjectStore store, Kinds kinds) {
    this.store = store;
    this.kinds = kinds;
  }

  boolean isHigh(RequestInfo info, Query query) {
    if (!info.isResource() || !VERBS.contains(info.verb()) || isShort(query)) {
      return false;
    }
    return kinds
        .resource(info.group(), info.version(), info.resource())
        .filter(kind -> store.list(kind, info.namespace()).size() >= MANY)
        .isPresent();
  }

  /// A page without a selector; with one, all objects are looked at.
  private static boolean isShort(Query query) {
    String limit = query.first("limit");
    return limit.matches("[1-9]\\d{0,2}")
        && Integer.parseInt(limit) < MANY
        && !query.first("resourceVersion").equals("0")
        && query.first("labelSelector").isEmpty()
        && query.first("fieldSelector").isEmpty();
  }
}

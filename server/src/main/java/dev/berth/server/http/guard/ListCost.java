package dev.berth.server.http.guard;

import dev.berth.server.flowcontrol.RequestCost;
import dev.berth.server.http.routing.RequestInfo;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.resources.objects.ObjectStore;
import dev.berth.server.resources.requests.RequestQuery;

/// Estimates the cost of a request from the number of objects that it reads; `FlowControl` turns
/// the cost into seats before the request starts.
///
/// The estimate reads the size of a collection, not its objects. A request that reads a single
/// object costs one seat.
public final class ListCost {
  private final ObjectStore store;
  private final ServedKinds kinds;

  public ListCost(ObjectStore store, ServedKinds kinds) {
    this.store = store;
    this.kinds = kinds;
  }

  RequestCost of(RequestInfo info, RequestQuery query) {
    return goesOverObjects(info, query)
        ? kinds
            .resource(info.group(), info.version(), info.resource())
            .map(kind -> store.list(kind, info.namespace()).size())
            .map(all -> RequestCost.ofObjects(Math.min(all, page(query))))
            .orElse(RequestCost.ONE)
        : RequestCost.ONE;
  }

  private static boolean goesOverObjects(RequestInfo info, RequestQuery query) {
    return info.isResource()
        && switch (info.verb()) {
          case "list", "deletecollection" -> true;
          case "watch" -> hasInitialEvents(query);
          default -> false;
        };
  }

  /// Must agree with {@link dev.berth.server.resources.WatchVerb}.
  private static boolean hasInitialEvents(RequestQuery query) {
    String version = query.first("resourceVersion");
    return query.has("sendInitialEvents")
        ? query.flag("sendInitialEvents")
        : version.isEmpty() || version.equals("0");
  }

  /// Objects of one page; with a selector, all objects of the collection are read.
  private static int page(RequestQuery query) {
    String limit = query.first("limit");
    return limit.matches("[1-9]\\d{0,8}")
            && !query.first("resourceVersion").equals("0")
            && query.first("labelSelector").isEmpty()
            && query.first("fieldSelector").isEmpty()
        ? Integer.parseInt(limit)
        : Integer.MAX_VALUE;
  }
}

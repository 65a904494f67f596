package dev.berth.controllers.gc;

import dev.berth.client.ApiClient;
import dev.berth.client.ListPage;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectList;
import dev.berth.client.ObjectMetadata;
import dev.berth.client.ResourceType;
import java.util.ArrayList;
import java.util.List;

/// Lists the dependents of an owner from the server, not from the graph.
///
/// The graph is fed by one watch per kind, and watches are not synchronized: the graph may see an
/// owner's deletion before a dependent that was created long before. Where that would lose objects,
/// the server is asked. That costs a list of each kind in the owner's namespace, or in all
/// namespaces for a cluster-scoped owner.
final class LiveDependents {
  private static final int PAGE = 500;

  private final ApiClient client;
  private final ResourceMonitors monitors;

  LiveDependents(ApiClient client, ResourceMonitors monitors) {
    this.client = client;
    this.monitors = monitors;
  }

  List<GraphNode> find(GraphNode owner) {
    List<GraphNode> found = new ArrayList<>();
    for (ResourceType type : monitors.types()) {
      // A cluster-scoped object cannot have a namespaced owner.
      if (type.namespaced() || !owner.type().namespaced()) {
        find(owner, type, found);
      }
    }
    return found;
  }

  private void find(GraphNode owner, ResourceType type, List<GraphNode> found) {
    ListQuery query = ListQuery.inNamespace(owner.key().namespace());
    ListPage page = ListPage.first(PAGE);
    while (true) {
      ObjectList<ObjectMetadata> part = client.metadata(type).list(query, page);
      part.items().stream()
          .filter(object -> object.ownerWithUid(owner.uid()).isPresent())
          .map(object -> GraphNode.of(type, object))
          .forEach(found::add);
      if (part.continueToken().isEmpty()) {
        return;
      }
      page = page.after(part.continueToken());
    }
  }
}

package dev.berth.controllers.gc;

import dev.berth.client.ApiClient;
import dev.berth.client.ListPage;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectList;
import dev.berth.client.ObjectMetadata;
import dev.berth.client.ResourceType;
import java.util.ArrayList;
import java.util.List;

/// Asks the server itself for the dependents of an owner.
///
/// The graph is fed by one watch per kind, and these do not keep step: it may hear of an owner's
/// deletion before it hears of a dependent that was made long before. Where that would do harm, the
/// server is asked. It costs a list of each kind in the owner's namespace, or in all for an owner
/// without one.
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

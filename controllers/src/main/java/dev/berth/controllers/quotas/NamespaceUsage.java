package dev.berth.controllers.quotas;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.ResourceAmounts;
import dev.berth.api.resources.ObjectUsage;
import dev.berth.api.resources.QuotaScopes;
import dev.berth.client.ApiClient;
import dev.berth.client.ListPage;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectList;
import dev.berth.client.ResourceClient;
import dev.berth.client.ServedResource;
import java.util.Set;
import java.util.function.Consumer;

/// Counts the objects of a namespace for one quota, by asking the server page by page. A cache of
/// all countable kinds would hold the whole cluster in memory.
final class NamespaceUsage {
  private static final int PAGE = 500;

  private final ApiClient client;

  NamespaceUsage(ApiClient client) {
    this.client = client;
  }

  /// The usage of every resource that the quota counts; zero where no object uses it.
  ///
  /// @param names the resources that the quota counts
  ResourceAmounts count(String namespace, JsonNode quotaSpec, Set<String> names) {
    ResourceAmounts[] sum = {ResourceAmounts.NONE};
    for (ServedResource served : client.discovery().discover().preferred()) {
      String resource = served.type().qualifiedPlural();
      boolean counted = names.stream().anyMatch(name -> ObjectUsage.isAbout(name, resource));
      if (counted && served.type().namespaced() && served.allows("list")) {
        each(
            client.json(served.type()),
            namespace,
            object -> {
              if (QuotaScopes.include(quotaSpec, resource, object)) {
                sum[0] = sum[0].plus(ObjectUsage.of(resource, object).only(names::contains));
              }
            });
      }
    }
    return sum[0];
  }

  private static void each(
      ResourceClient<ObjectNode> resources, String namespace, Consumer<ObjectNode> visitor) {
    ListQuery query = ListQuery.inNamespace(namespace);
    ListPage page = ListPage.first(PAGE);
    while (true) {
      ObjectList<ObjectNode> part = resources.list(query, page);
      part.items().forEach(visitor);
      if (part.continueToken().isEmpty()) {
        return;
      }
      page = page.after(part.continueToken());
    }
  }
}

package dev.berth.agent.pods.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.Informer;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceClient;
import java.util.Optional;

/// The RuntimeClasses of the cluster: from a cache, and where that has none, from the server, so
/// that a cache that is late fails no pod.
public final class RuntimeClasses {
  private final Informer<ObjectNode> cache;
  private final ResourceClient<ObjectNode> server;

  public RuntimeClasses(Informer<ObjectNode> cache, ResourceClient<ObjectNode> server) {
    this.cache = cache;
    this.server = server;
  }

  /// The handler of a class; empty when there is no such class.
  ///
  /// @throws dev.berth.client.ClientException when that cannot be found out
  Optional<String> handler(String name) {
    ObjectKey key = ObjectKey.clusterScoped(name);
    return cache.get(key).or(() -> server.find(key)).map(found -> found.path("handler").asText());
  }
}

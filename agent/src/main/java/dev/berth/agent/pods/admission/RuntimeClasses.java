package dev.berth.agent.pods.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.Informer;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceClient;
import java.util.Optional;

/// The cluster's RuntimeClasses, from a cache. A class that is missing there is read from the API
/// server, so that a late cache fails no pod.
public final class RuntimeClasses {
  private final Informer<ObjectNode> cache;
  private final ResourceClient<ObjectNode> server;

  public RuntimeClasses(Informer<ObjectNode> cache, ResourceClient<ObjectNode> server) {
    this.cache = cache;
    this.server = server;
  }

  /// The handler of a class; empty when the class does not exist.
  ///
  /// @throws dev.berth.client.ClientException when the API server cannot be asked
  Optional<String> handler(String name) {
    ObjectKey key = ObjectKey.clusterScoped(name);
    return cache.get(key).or(() -> server.find(key)).map(found -> found.path("handler").asText());
  }
}

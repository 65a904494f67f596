package dev.berth.launch.connection;

import dev.berth.client.ApiClient;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.net.URI;

/// How an agent reaches its API server.
///
/// @param client with the node's own identity; stays open
/// @param authority that signed the certificates of the API server and of those who call the node,
///   in PEM
public record AgentConnection(ApiClient client, URI server, String authority) {
  /// The same, with its requests counted.
  public AgentConnection countedBy(PrometheusRegistry registry) {
    return new AgentConnection(
        client.through(way -> new RequestCounter(way, server.getAuthority(), registry)),
        server,
        authority);
  }
}

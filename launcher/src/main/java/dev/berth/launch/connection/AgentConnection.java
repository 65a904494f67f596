package dev.berth.launch.connection;

import dev.berth.client.ApiClient;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.net.URI;

/// The connection of an agent to its API server.
///
/// @param client authenticates as the node; the agent does not close it
/// @param authority the CA of the API server and of clients of the node, in PEM
public record AgentConnection(ApiClient client, URI server, String authority) {
  /// The same connection; its requests are counted in metrics.
  public AgentConnection countedBy(PrometheusRegistry registry) {
    return new AgentConnection(
        client.through(way -> new RequestCounter(way, server.getAuthority(), registry)),
        server,
        authority);
  }
}

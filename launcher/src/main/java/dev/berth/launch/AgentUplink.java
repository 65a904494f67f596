package dev.berth.launch;

import dev.berth.client.ApiClient;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.net.URI;

/// How an agent reaches its API server.
///
/// @param client with the node's own identity; stays open
/// @param authority that signed the certificates of the API server and of those who call the node,
///   in PEM
record AgentUplink(ApiClient client, URI server, String authority) {
  /// The same, with its requests counted.
  AgentUplink countedBy(PrometheusRegistry registry) {
    return new AgentUplink(
        client.through(way -> new CountedRequests(way, server.getAuthority(), registry)),
        server,
        authority);
  }
}

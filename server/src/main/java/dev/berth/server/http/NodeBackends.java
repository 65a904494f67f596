package dev.berth.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.relay.Backend;
import dev.berth.server.errors.ApiException;
import dev.berth.server.kinds.Kinds;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.pki.ClusterPki;
import dev.berth.server.resources.ObjectStore;
import java.util.ArrayList;
import java.util.List;

/// Finds the HTTPS server of a node.
final class NodeBackends {
  private static final int USUAL_PORT = 10_250;

  /// Addresses first: certificates of nodes are made for them, and names need a DNS.
  private static final List<String> PREFERRED =
      List.of("InternalIP", "ExternalIP", "Hostname", "InternalDNS", "ExternalDNS");

  private final ObjectStore store;
  private final ResourceKind nodes;
  private final ClusterPki pki;

  NodeBackends(ObjectStore store, Kinds kinds, ClusterPki pki) {
    this.store = store;
    this.nodes = kinds.bucket("nodes").orElseThrow();
    this.pki = pki;
  }

  Backend of(String node) {
    ObjectNode object = store.get(nodes, "", node).value().tree();
    JsonNode status = object.path("status");
    int port = status.path("daemonEndpoints").path("kubeletEndpoint").path("Port").asInt();
    return new Backend(
        address(status.path("addresses")),
        port == 0 ? USUAL_PORT : port,
        pki.nodeClientContext(node));
  }

  private static String address(JsonNode addresses) {
    for (String type : PREFERRED) {
      for (JsonNode address : addresses) {
        if (address.path("type").asText().equals(type)) {
          return address.path("address").asText();
        }
      }
    }
    List<String> known = new ArrayList<>();
    addresses.forEach(address -> known.add(address.path("address").asText()));
    throw ApiException.unclassified(
        "no preferred addresses found; known addresses: [%s]".formatted(String.join(" ", known)));
  }
}

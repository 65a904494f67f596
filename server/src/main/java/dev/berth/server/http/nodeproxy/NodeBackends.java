package dev.berth.server.http.nodeproxy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.GoQuotedString;
import dev.berth.relay.AnyCertificate;
import dev.berth.relay.RelayBackend;
import dev.berth.server.errors.ApiException;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.pki.ClusterPki;
import dev.berth.server.resources.objects.ObjectStore;
import java.util.ArrayList;
import java.util.List;

/// Finds the HTTPS server of a node.
///
/// The node's object names address and port; the certificate of the node's server must be valid for
/// the node's name, so a node cannot lead requests to another machine.
public final class NodeBackends {
  /// The kubelet's port, for nodes that do not report one.
  private static final int USUAL_PORT = 10_250;

  /// IP addresses come first: node certificates contain them, and host names need a working DNS.
  private static final List<String> PREFERRED =
      List.of("InternalIP", "ExternalIP", "Hostname", "InternalDNS", "ExternalDNS");

  private final ObjectStore store;
  private final ResourceKind nodes;
  private final ClusterPki pki;

  public NodeBackends(ObjectStore store, ServedKinds kinds, ClusterPki pki) {
    this.store = store;
    this.nodes = kinds.bucket("nodes").orElseThrow();
    this.pki = pki;
  }

  public RelayBackend of(String node) {
    ObjectNode object = store.get(nodes, "", node).value().tree();
    JsonNode status = object.path("status");
    int port = status.path("daemonEndpoints").path("kubeletEndpoint").path("Port").asInt();
    return new RelayBackend(
        address(status.path("addresses")),
        port == 0 ? USUAL_PORT : port,
        pki.nodeClientContext(node));
  }

  /// Resolves the node in a proxy path: `web-1`, `web-1:10250`, or another port of the node as
  /// `web-1:9100` or `https:web-1:9100`. Only the node's own server sees the API server's client
  /// certificate.
  RelayBackend ofProxy(String text) {
    SchemeNamePort given = SchemeNamePort.parse("node", text);
    RelayBackend server = of(given.name());
    if (given.port().isEmpty() || given.portNumber() == server.port()) {
      return server;
    }
    if (given.portNumber() < 0) {
      throw ApiException.badRequest(
          "%s is no port of node %s: it must be a number between 1 and 65535"
              .formatted(GoQuotedString.quote(given.port()), given.name()));
    }
    SchemeNamePort.requireAllowed(server.host());
    return new RelayBackend(
        server.host(), given.portNumber(), given.isSecure() ? AnyCertificate.context() : null);
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

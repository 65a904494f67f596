package dev.berth.server.http.endpoints;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.DnsNames;
import dev.berth.api.certificates.NodeServingNames;
import dev.berth.server.auth.AccessRequest;
import dev.berth.server.auth.ObjectReader;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.auth.authorization.Authorizer;
import dev.berth.server.auth.nodes.NodeAuthorizer;
import dev.berth.server.errors.ApiException;
import dev.berth.server.errors.ApiStatus;
import dev.berth.server.http.transport.ServerExchange;
import dev.berth.server.json.JsonSyntaxException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.pki.ClusterPki;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Signs certificates for a node's own key: for a holder of a bootstrap token, or for the node
/// itself (docs/nodes-join.md).
///
/// The private key never leaves the node: the request has its public key only. Names in the serving
/// certificate are checked by `NodeServingNames`, so that a node cannot pose as the API server or
/// as another node.
public final class NodeCertificates {
  static final String AUTHORITY = "/berth.dev/v1/authority";
  static final String NODE_AUTHORITY = "/berth.dev/v1/node-authority";
  static final String CERTIFICATES = "/berth.dev/v1/node-certificates";
  private static final String JSON = "application/json";

  /// RBAC permission for taking over the name of an existing Node.
  private static final String REJOIN = "rejoin";

  /// Longest accepted key in characters of PEM; a P-521 key has 280.
  private static final int LONGEST_KEY = 1_000;

  private final ClusterPki pki;
  private final ObjectReader objects;
  private final Authorizer authorizer;

  public NodeCertificates(ClusterPki pki, ObjectReader objects, Authorizer authorizer) {
    this.pki = pki;
    this.objects = objects;
    this.authorizer = authorizer;
  }

  void serve(ServerExchange exchange, UserInfo user) throws IOException {
    switch (exchange.method() + " " + exchange.path()) {
      case "GET " + AUTHORITY -> send(exchange, pki.authorityPem());
      case "GET " + NODE_AUTHORITY -> send(exchange, pki.nodeAuthorityPem());
      case "POST " + CERTIFICATES ->
          exchange.send(201, JSON, issue(exchange.body(), user, caller(exchange)));
      default -> NonResourcePaths.notFound(exchange);
    }
  }

  private static void send(ServerExchange exchange, String pem) {
    exchange.send(200, "application/x-pem-file", pem.getBytes(StandardCharsets.US_ASCII));
  }

  private static @Nullable InetAddress caller(ServerExchange exchange) {
    return exchange.request().getConnectionMetaData().getRemoteSocketAddress()
            instanceof InetSocketAddress remote
        ? remote.getAddress()
        : null;
  }

  private byte[] issue(byte[] body, UserInfo user, @Nullable InetAddress caller) {
    try {
      JsonNode request = JsonTrees.parse(body).tree();
      String node = request.path("node").asText();
      checkName(node);
      checkUser(node, user);
      PublicKey key = key(request.path("publicKey").asText());
      List<String> names = servingNames(node, request.path("addresses"), caller);
      ObjectNode answer = JsonTrees.object();
      answer.put("authority", pki.authorityPem());
      answer.put("clientCertificate", pki.nodeCertificate(node, key));
      answer.put("servingCertificate", pki.nodeServingCertificate(node, names, key));
      return JsonTrees.bytes(answer);
    } catch (JsonSyntaxException e) {
      throw ApiException.badRequest("the body is not JSON: " + e.getMessage());
    }
  }

  private List<String> servingNames(String node, JsonNode requested, @Nullable InetAddress caller) {
    List<String> asked = new ArrayList<>();
    requested.forEach(address -> asked.add(address.asText()));
    NodeServingNames rule =
        NodeServingNames.of(
            node, objects.all("nodes"), objects.all("services"), pki.serverNames(), caller);
    List<String> refusals = rule.refusals(asked);
    if (!refusals.isEmpty()) {
      throw forbidden(
          "node \"%s\" gets no serving certificate for these addresses: %s"
              .formatted(node, String.join("; ", refusals)));
    }
    List<String> names = new ArrayList<>(rule.always());
    names.addAll(asked);
    return names;
  }

  private static void checkName(String node) {
    if (!DnsNames.isSubdomain(node)) {
      throw ApiException.badRequest(
          "node=%s: must be lower-case letters, digits, `-` and `.`, such as node-1"
              .formatted(node));
    }
  }

  /// A node gets certificates for its own name only. Another requester needs an RBAC permission for
  /// a name that exists.
  private void checkUser(String node, UserInfo user) {
    String self = NodeAuthorizer.nodeName(user);
    if (self != null && !self.equals(node)) {
      throw forbidden("node \"%s\" gets no certificates for node \"%s\"".formatted(self, node));
    }
    if (self == null && objects.read("nodes", "", node) != null && !mayRejoin(node, user)) {
      throw forbidden(
          ("node \"%s\" is in the cluster already: choose another name, delete the Node first, or"
                  + " use a token of `berth token --rejoin` (verb \"rejoin\" on the Node)")
              .formatted(node));
    }
  }

  private boolean mayRejoin(String node, UserInfo user) {
    AccessRequest.Target target = new AccessRequest.Target.Resource("", "nodes", "", node);
    return authorizer.decide(new AccessRequest(user, REJOIN, target)).allowed();
  }

  private static ApiException forbidden(String message) {
    return new ApiException(new ApiStatus(403, "Forbidden", message, ApiStatus.Details.ABSENT));
  }

  /// Parses an EC public key in PEM.
  private static PublicKey key(String pem) {
    try {
      if (pem.length() > LONGEST_KEY) {
        throw new IllegalArgumentException("too long");
      }
      String base64 = pem.replaceAll("-----[A-Z ]+-----", "").replaceAll("\\s", "");
      return KeyFactory.getInstance("EC")
          .generatePublic(new X509EncodedKeySpec(Base64.getDecoder().decode(base64)));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw ApiException.badRequest("publicKey: must be an EC public key in PEM");
    }
  }
}

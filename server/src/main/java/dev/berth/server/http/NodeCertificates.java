package dev.berth.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.DnsNames;
import dev.berth.server.auth.NodeAuthorizer;
import dev.berth.server.auth.ObjectReader;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.errors.ApiException;
import dev.berth.server.errors.Status;
import dev.berth.server.json.Json;
import dev.berth.server.json.JsonSyntaxException;
import dev.berth.server.pki.ClusterPki;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// How a machine becomes a node: whoever has a bootstrap token, or is the node already, gets
/// certificates for the node's own key (docs/nodes.md).
final class NodeCertificates {
  static final String AUTHORITY = "/berth.dev/v1/authority";
  static final String CERTIFICATES = "/berth.dev/v1/node-certificates";
  private static final String JSON = "application/json";

  private final ClusterPki pki;
  private final ObjectReader objects;

  NodeCertificates(ClusterPki pki, ObjectReader objects) {
    this.pki = pki;
    this.objects = objects;
  }

  void serve(Exchange exchange, UserInfo user) throws IOException {
    switch (exchange.method() + " " + exchange.path()) {
      case "GET " + AUTHORITY ->
          exchange.send(
              200,
              "application/x-pem-file",
              pki.authorityPem().getBytes(StandardCharsets.US_ASCII));
      case "POST " + CERTIFICATES -> exchange.send(201, JSON, issue(exchange.body(), user));
      default -> Endpoints.notFound(exchange);
    }
  }

  private byte[] issue(byte[] body, UserInfo user) {
    try {
      JsonNode request = Json.parse(body).tree();
      String node = request.path("node").asText();
      checkName(node);
      checkUser(node, user);
      PublicKey key = key(request.path("publicKey").asText());
      List<String> names = new ArrayList<>(List.of(node));
      request.path("addresses").forEach(address -> names.add(address.asText()));
      ObjectNode answer = Json.object();
      answer.put("authority", pki.authorityPem());
      answer.put("clientCertificate", pki.nodeCertificate(node, key));
      answer.put("servingCertificate", pki.nodeServingCertificate(node, names, key));
      return Json.bytes(answer);
    } catch (JsonSyntaxException e) {
      throw ApiException.badRequest("the body is not JSON: " + e.getMessage());
    }
  }

  private static void checkName(String node) {
    if (!DnsNames.isSubdomain(node)) {
      throw ApiException.badRequest(
          "node=%s: must be lower-case letters, digits, `-` and `.`, such as node-1"
              .formatted(node));
    }
  }

  /// A node gets certificates for itself only; a token cannot take the place of a node that lives.
  private void checkUser(String node, UserInfo user) {
    String self = NodeAuthorizer.nodeName(user);
    if (self != null && !self.equals(node)) {
      throw forbidden("node \"%s\" gets no certificates for node \"%s\"".formatted(self, node));
    }
    if (self == null && isReady(objects.read("nodes", "", node))) {
      throw forbidden(
          "node \"%s\" is in the cluster already and ready: choose another name, or delete it first"
              .formatted(node));
    }
  }

  private static ApiException forbidden(String message) {
    return new ApiException(new Status(403, "Forbidden", message, Status.Details.ABSENT));
  }

  private static boolean isReady(@org.jspecify.annotations.Nullable ObjectNode node) {
    if (node != null) {
      for (JsonNode condition : node.path("status").path("conditions")) {
        if (condition.path("type").asText().equals("Ready")) {
          return condition.path("status").asText().equals("True");
        }
      }
    }
    return false;
  }

  /// A P-256 key in PEM.
  private static PublicKey key(String pem) {
    try {
      String base64 = pem.replaceAll("-----[A-Z ]+-----", "").replaceAll("\\s", "");
      return KeyFactory.getInstance("EC")
          .generatePublic(new X509EncodedKeySpec(Base64.getDecoder().decode(base64)));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw ApiException.badRequest("publicKey: must be an EC public key in PEM");
    }
  }
}

package dev.berth.agent.node.certificates;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.certificates.PemBlocks;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiRequest;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.util.List;

/// A certificate that a Berth API server signed for a node, in PEM (docs/nodes-join.md).
public record IssuedCertificate(
    String authority, String clientCertificate, String servingCertificate) {
  private static final String PATH = "/berth.dev/v1/node-certificates";
  private static final String JSON = "application/json";

  /// Requests certificates. Upstream API servers do not have the path and answer 404.
  ///
  /// @param client of the node itself, or with a bootstrap token
  public static IssuedCertificate request(
      ApiClient client, String node, List<String> addresses, PublicKey key) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("node", node)
        .put("publicKey", PemBlocks.encode(PemBlocks.PUBLIC_KEY, key.getEncoded()));
    var list = body.putArray("addresses");
    addresses.forEach(list::add);
    byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
    JsonNode answer = client.exchange(ApiRequest.of("POST", PATH, JSON, JSON, bytes));
    return new IssuedCertificate(
        answer.path("authority").asText(),
        answer.path("clientCertificate").asText(),
        answer.path("servingCertificate").asText());
  }
}

package dev.berth.server.http.endpoints;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.auth.tokens.OpenIdDocuments;
import dev.berth.server.auth.tokens.ServiceAccountTokens;
import dev.berth.server.http.transport.ServerExchange;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.pki.ServiceAccountKeys;
import java.io.IOException;

/// Serves the OpenID documents: the public keys with which others verify service account tokens.
///
/// The role `system:service-account-issuer-discovery` decides who may read the documents; they
/// contain no private key. The address in them is the one by which the client called, since the
/// server may have several.
public final class IssuerEndpoint {
  private final ServiceAccountKeys keys;

  public IssuerEndpoint(ServiceAccountKeys keys) {
    this.keys = keys;
  }

  void serve(ServerExchange exchange) throws IOException {
    String base = "https://" + exchange.authority();
    switch (exchange.path().replaceAll("/$", "")) {
      case "/.well-known/openid-configuration" ->
          send(
              exchange,
              "application/json",
              OpenIdDocuments.configuration(
                  ServiceAccountTokens.ISSUER, base + "/openid/v1/jwks", keys));
      case "/openid/v1/jwks" ->
          send(exchange, "application/jwk-set+json", OpenIdDocuments.keySet(keys));
      default -> NonResourcePaths.notFound(exchange);
    }
  }

  private static void send(ServerExchange exchange, String type, JsonNode document) {
    NonResourcePaths.requireGet(exchange);
    exchange.send(200, type, JsonTrees.bytes(document));
  }
}

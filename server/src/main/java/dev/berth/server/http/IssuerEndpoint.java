package dev.berth.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.auth.OpenIdDocuments;
import dev.berth.server.auth.ServiceAccountTokens;
import dev.berth.server.json.Json;
import dev.berth.server.pki.ServiceAccountKeys;
import java.io.IOException;

/// The public half of the service accounts' key, for those who verify tokens themselves.
final class IssuerEndpoint {
  private final ServiceAccountKeys keys;

  IssuerEndpoint(ServiceAccountKeys keys) {
    this.keys = keys;
  }

  void serve(Exchange exchange) throws IOException {
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
      default -> Endpoints.notFound(exchange);
    }
  }

  private static void send(Exchange exchange, String type, JsonNode document) {
    Endpoints.requireGet(exchange);
    exchange.send(200, type, Json.bytes(document));
  }
}

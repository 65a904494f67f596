package dev.berth.server.http;

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
          exchange.send(
              200,
              "application/json",
              Json.bytes(
                  OpenIdDocuments.configuration(
                      ServiceAccountTokens.ISSUER, base + "/openid/v1/jwks", keys)));
      case "/openid/v1/jwks" ->
          exchange.send(200, "application/jwk-set+json", Json.bytes(OpenIdDocuments.keySet(keys)));
      default -> Endpoints.notFound(exchange);
    }
  }
}

package dev.berth.sim.registry;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.sim.call.CallRefusal;
import dev.berth.sim.images.RegistryHost;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// What one pull shows to a registry: nothing, until the registry asks; then a password or a token.
final class RegistryAuthorization {
  /// Asks a token server.
  interface TokenServer {
    byte[] get(URI uri, Optional<String> header);
  }

  private final String credentials;
  private Optional<String> header = Optional.empty();

  /// @param credentials `user:password`, or empty
  RegistryAuthorization(String credentials) {
    this.credentials = credentials;
  }

  /// The header to send, if any.
  Optional<String> header() {
    return header;
  }

  /// Whether it is worth another try with what there is now.
  boolean answer(List<String> challenges, TokenServer server) {
    for (String text : challenges) {
      AuthChallenge challenge = AuthChallenge.parse(text);
      if (challenge.scheme().equals("bearer")) {
        header = Optional.of("Bearer " + token(challenge, server));
        return true;
      }
      if (challenge.scheme().equals("basic")) {
        header = basic();
        return header.isPresent();
      }
    }
    return false;
  }

  private String token(AuthChallenge challenge, TokenServer server) {
    URI realm = realm(challenge.value("realm"));
    StringBuilder query = new StringBuilder(realm.getQuery() == null ? "?" : "&");
    query.append("service=").append(encoded(challenge.value("service")));
    if (!challenge.value("scope").isEmpty()) {
      query.append("&scope=").append(encoded(challenge.value("scope")));
    }
    JsonNode answer =
        RegistryDocument.of(server.get(URI.create(realm + query.toString()), basic())).json();
    String token = answer.path("token").asText(answer.path("access_token").asText(""));
    if (!token.matches("[\\x21-\\x7e]+")) {
      throw CallRefusal.unknown(
          "failed to authorize: authorization server did not include a token");
    }
    return token;
  }

  private static URI realm(String text) {
    URI realm;
    try {
      realm = URI.create(text);
    } catch (IllegalArgumentException _) {
      realm = URI.create("");
    }
    if (!RegistryHost.isPrivate(realm)) {
      throw CallRefusal.unknown(
          "failed to authorize: realm \"%s\" is neither https nor this machine".formatted(text));
    }
    return realm;
  }

  private Optional<String> basic() {
    return credentials.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "Basic "
                + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}

package dev.berth.registry.transport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.registry.credentials.RegistryCredentials;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/// Gets a token from the server that a registry names, as the distribution specification has it; an
/// identity token is exchanged by OAuth 2.
final class TokenFlow {
  private static final int TOKEN_BYTES = 1024 * 1024;
  private static final Duration USUAL_LIFETIME = Duration.ofSeconds(60);
  private static final Duration LONGEST_LIFETIME = Duration.ofHours(1);

  /// So that a token does not end on its way.
  private static final Duration MARGIN = Duration.ofSeconds(5);

  private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]+");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ExchangerPool exchangers;

  TokenFlow(ExchangerPool exchangers) {
    this.exchangers = exchangers;
  }

  /// A header, and how long it is good for.
  record GrantedHeader(String header, Duration lifetime) {}

  /// @param scope when the registry does not name one
  GrantedHeader token(
      RegistryEndpoint endpoint,
      AuthChallenge challenge,
      String scope,
      RegistryCredentials credentials,
      TimeBudget budget) {
    URI realm = realm(endpoint, challenge.value("realm"));
    String parameters =
        "service="
            + encoded(challenge.value("service"))
            + "&scope="
            + encoded(challenge.value("scope").isEmpty() ? scope : challenge.value("scope"));
    HttpRequest request =
        credentials.identityToken().isEmpty()
            ? query(realm, parameters, credentials)
            : exchange(realm, parameters, credentials);
    MemorySink sink = new MemorySink(TOKEN_BYTES);
    HttpResponse<Boolean> answer = exchangers.of(endpoint).send(request, sink, budget);
    if (answer.statusCode() != 200) {
      TransportException failure =
          StatusFailures.of(
              answer, "token server %s".formatted(realm.getRawAuthority()), "a token request");
      // The token server has no images, so its 404 says nothing about them.
      throw failure.kind() == FailureKind.NOT_FOUND
          ? TransportException.ofStatus(
              FailureKind.UNEXPECTED_ANSWER,
              String.valueOf(failure.getMessage()),
              answer.statusCode(),
              false,
              null)
          : failure;
    }
    return granted(realm, sink.bytes());
  }

  private static HttpRequest query(URI realm, String parameters, RegistryCredentials credentials) {
    String separator = realm.getRawQuery() == null ? "?" : "&";
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(realm + separator + parameters))
            .header("Accept", "application/json");
    credentials.basicHeader().ifPresent(basic -> request.header("Authorization", basic));
    return request.build();
  }

  private static HttpRequest exchange(
      URI realm, String parameters, RegistryCredentials credentials) {
    return HttpRequest.newBuilder(realm)
        .header("Accept", "application/json")
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(
            BodyPublishers.ofString(
                "grant_type=refresh_token&client_id=berth&refresh_token="
                    + encoded(credentials.identityToken())
                    + "&"
                    + parameters))
        .build();
  }

  /// Whoever could choose the realm could otherwise read the password on its way.
  private static URI realm(RegistryEndpoint endpoint, String text) {
    URI realm;
    try {
      realm = URI.create(text);
    } catch (IllegalArgumentException _) {
      realm = URI.create("");
    }
    if (!endpoint.mayLeadTo(realm)) {
      throw new TransportException(
          FailureKind.UNTRUSTED,
          "registry %s names the token server \"%s\", which is not https"
              .formatted(endpoint.host(), text));
    }
    return realm;
  }

  private static GrantedHeader granted(URI realm, byte[] answer) {
    JsonNode json = json(answer);
    String token =
        Optional.of(json.path("token").asText())
            .filter(text -> !text.isEmpty())
            .orElse(json.path("access_token").asText());
    if (!TOKEN.matcher(token).matches()) {
      throw new TransportException(
          FailureKind.UNEXPECTED_ANSWER,
          "token server %s answered without a token".formatted(realm.getRawAuthority()));
    }
    long seconds = json.path("expires_in").asLong(USUAL_LIFETIME.toSeconds());
    long bounded = Math.clamp(seconds, 0, LONGEST_LIFETIME.toSeconds());
    return new GrantedHeader("Bearer " + token, Duration.ofSeconds(bounded).minus(MARGIN));
  }

  private static JsonNode json(byte[] answer) {
    try {
      return JSON.readTree(answer);
    } catch (IOException _) {
      return JSON.missingNode();
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}

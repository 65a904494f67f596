package dev.berth.agent.node.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import org.jspecify.annotations.Nullable;

/// Authenticates callers: by a client certificate, or by a token that the API server reviews.
final class NodeAuthentication {
  private static final String PATH = "/apis/authentication.k8s.io/v1/tokenreviews";

  /// As the kubelet's `authentication.webhook.cacheTTL`: a revoked token is accepted for two
  /// minutes more at most.
  private static final Duration KNOWN = Duration.ofMinutes(2);

  /// A refused token is remembered briefly, or each request of a client with an old one would cost
  /// a TokenReview. Short, because the token may be valid in a moment.
  private static final Duration UNKNOWN = Duration.ofSeconds(10);

  private final ApiClient client;
  private final RecentAnswers<String, Optional<NodeCaller>> tokens;

  NodeAuthentication(ApiClient client, InstantSource clock) {
    this.client = client;
    this.tokens = new RecentAnswers<>(clock, caller -> caller.isPresent() ? KNOWN : UNKNOWN);
  }

  /// The caller; empty when not authenticated.
  ///
  /// @param certificate verified by TLS
  /// @param token the whole header, such as `Bearer abc`
  Optional<NodeCaller> identify(@Nullable X509Certificate certificate, @Nullable String token) {
    if (certificate != null) {
      return ofCertificate(certificate);
    }
    if (token == null || !token.regionMatches(true, 0, "Bearer ", 0, 7)) {
      return Optional.empty();
    }
    String secret = token.substring(7).strip();
    return tokens.get(secret, () -> review(secret));
  }

  static Optional<NodeCaller> ofCertificate(X509Certificate certificate) {
    String name = "";
    List<String> groups = new ArrayList<>();
    try {
      for (Rdn part : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
        switch (part.getType()) {
          case "CN" -> name = part.getValue().toString();
          case "O" -> groups.add(part.getValue().toString());
          default -> {}
        }
      }
    } catch (InvalidNameException _) {
      return Optional.empty();
    }
    groups.add("system:authenticated");
    return name.isEmpty() ? Optional.empty() : Optional.of(new NodeCaller(name, groups));
  }

  private Optional<NodeCaller> review(String token) {
    ObjectNode review = JsonNodeFactory.instance.objectNode();
    review.put("apiVersion", "authentication.k8s.io/v1").put("kind", "TokenReview");
    review.putObject("spec").put("token", token);
    JsonNode status = AccessReviews.post(client, PATH, review);
    if (!status.path("authenticated").asBoolean()) {
      return Optional.empty();
    }
    List<String> groups = new ArrayList<>();
    status.path("user").path("groups").forEach(group -> groups.add(group.asText()));
    return Optional.of(new NodeCaller(status.path("user").path("username").asText(), groups));
  }
}

package dev.berth.server.auth.authentication;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.ReviewAnswers;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.JsonTrees;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/// Answers `TokenReview` and `SelfSubjectReview`, which are never stored.
public final class IdentityReviews {
  private static final String API_VERSION = "authentication.k8s.io/v1";

  private final Authenticator authenticator;
  private final InstantSource clock;

  public IdentityReviews(Authenticator authenticator, InstantSource clock) {
    this.authenticator = authenticator;
    this.clock = clock;
  }

  /// Answers a `TokenReview`.
  public ObjectNode token(ObjectNode review) {
    String token = review.at("/spec/token").asText("");
    if (token.isEmpty()) {
      throw ApiException.badRequest("token is required for TokenReview in authentication");
    }
    List<String> wanted = new ArrayList<>();
    review.at("/spec/audiences").forEach(audience -> wanted.add(audience.asText()));
    TokenSource.Found found =
        authenticator.find(token, wanted.isEmpty() ? authenticator.audiences() : wanted);
    ObjectNode answer =
        JsonTrees.object().put("kind", "TokenReview").put("apiVersion", API_VERSION);
    answer.set("metadata", ReviewAnswers.metadata(review));
    answer.set("spec", review.path("spec"));
    ObjectNode status = answer.putObject("status");
    // An unknown token is an answer and not an error: the review itself succeeded.
    if (found == null) {
      status.putObject("user");
      status.put("error", "invalid bearer token");
      return answer;
    }
    status.put("authenticated", true);
    status.set("user", found.user().toJson());
    ArrayNode audiences = status.putArray("audiences");
    found.audiences().forEach(audiences::add);
    return answer;
  }

  /// Answers a `SelfSubjectReview`.
  public ObjectNode self(UserInfo user) {
    ObjectNode answer =
        JsonTrees.object().put("kind", "SelfSubjectReview").put("apiVersion", API_VERSION);
    answer
        .putObject("metadata")
        .put("creationTimestamp", clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
    answer.putObject("status").set("userInfo", user.toJson());
    return answer;
  }
}

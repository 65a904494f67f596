package dev.berth.server.http.routing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.auth.authentication.IdentityReviews;
import dev.berth.server.auth.authorization.AccessReviews;
import dev.berth.server.errors.ApiException;
import dev.berth.server.http.encoding.AnswerWriter;
import dev.berth.server.http.encoding.BodyReader;
import dev.berth.server.http.encoding.NegotiatedFormat;
import dev.berth.server.http.transport.ServerExchange;
import dev.berth.server.kinds.ReviewKind;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.resources.requests.BodyDecoder;
import dev.berth.server.resources.requests.BodyType;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.server.schema.ObjectType;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpHeader;

/// Dispatches reviews, which are answered and never stored: token and access reviews.
///
/// They have no stored objects, so neither admission nor watches exist for them; only the body is
/// decoded like that of other kinds.
public final class ReviewDispatcher {
  private final ServedKinds kinds;
  private final ObjectSchema schema;
  private final AccessReviews access;
  private final IdentityReviews identity;
  private final BodyReader bodies;
  private final BodyDecoder decoder;
  private final AnswerWriter answers;
  private final Set<String> groups;

  public ReviewDispatcher(
      ServedKinds kinds,
      ObjectSchema schema,
      AccessReviews access,
      IdentityReviews identity,
      BodyReader bodies,
      AnswerWriter answers) {
    this.kinds = kinds;
    this.schema = schema;
    this.access = access;
    this.identity = identity;
    this.bodies = bodies;
    this.decoder = new BodyDecoder(kinds);
    this.answers = answers;
    this.groups =
        Stream.concat(
                kinds.all().stream()
                    .flatMap(kind -> kind.versions().stream().map(version -> version.group())),
                kinds.reviews().stream().map(ReviewKind::group))
            .collect(Collectors.toSet());
  }

  public boolean isKnownGroup(String group) {
    return groups.contains(group);
  }

  public boolean isReview(RequestInfo info) {
    return find(info).isPresent();
  }

  private Optional<ReviewKind> find(RequestInfo info) {
    return kinds.reviews().stream()
        .filter(
            review ->
                review.group().equals(info.group())
                    && review.version().equals(info.version())
                    && review.plural().equals(info.resource()))
        .findFirst();
  }

  public void dispatch(ServerExchange exchange, RequestInfo info, UserInfo user)
      throws IOException {
    ReviewKind review = find(info).orElseThrow(ApiException::noSuchResource);
    if (!info.verb().equals("create") || !info.name().isEmpty()) {
      throw ApiException.methodNotAllowed();
    }
    if (review.namespaced() && info.namespace().isEmpty()) {
      throw ApiException.noSuchResource();
    }
    NegotiatedFormat wanted =
        NegotiatedFormat.parseWithoutTables(exchange.header(HttpHeader.ACCEPT));
    ObjectNode body = body(exchange, review);
    ObjectNode answer =
        switch (review.kind()) {
          case "TokenReview" -> identity.token(body);
          case "SelfSubjectReview" -> identity.self(user);
          case "SubjectAccessReview" -> access.subject(body);
          case "LocalSubjectAccessReview" -> access.local(info.namespace(), body);
          case "SelfSubjectAccessReview" -> access.self(user, body);
          case "SelfSubjectRulesReview" -> access.selfRules(user, body);
          default -> throw ApiException.noSuchResource();
        };
    answers.writeOther(exchange, wanted, 201, answer);
  }

  private ObjectNode body(ServerExchange exchange, ReviewKind review) throws IOException {
    ObjectType type =
        schema.type(
            review.group().replaceAll("\\..*", "") + "." + review.version() + "." + review.kind());
    return decoder
        .decode(
            BodyType.of(review.apiVersion(), type),
            bodies.read(exchange, type, review.kind()),
            ResourceDispatcher.writeOptions(exchange, "CreateOptions").fieldValidation(),
            exchange.warnings())
        // The answer repeats the request; a client may have left out both fields.
        .put("kind", review.kind())
        .put("apiVersion", review.apiVersion());
  }
}

package dev.berth.server.http.routing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.tokens.TokenRequests;
import dev.berth.server.errors.ApiException;
import dev.berth.server.http.encoding.AnswerWriter;
import dev.berth.server.http.encoding.BodyReader;
import dev.berth.server.http.encoding.NegotiatedFormat;
import dev.berth.server.http.nodeproxy.PodStreams;
import dev.berth.server.http.transport.ServerExchange;
import dev.berth.server.kinds.Verb;
import dev.berth.server.resources.ResourceVerbs;
import dev.berth.server.resources.VerbAnswer;
import dev.berth.server.resources.requests.BodyType;
import dev.berth.server.resources.requests.PatchBody;
import dev.berth.server.resources.requests.RequestBody;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.server.resources.requests.WriteOptions;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.server.schema.ObjectType;
import java.io.IOException;
import org.eclipse.jetty.http.HttpHeader;

/// Dispatches requests for subresources: status, scale, binding and others.
///
/// The dispatcher has checked that the kind has the subresource and allows the verb. Subresources
/// with rules of their own need an entry here and in `SubresourceRules`.
public final class SubresourceDispatcher {
  private final ResourceVerbs verbs;
  private final BodyReader bodies;
  private final AnswerWriter answers;
  private final TokenRequests tokens;
  private final PodStreams streams;
  private final ObjectSchema schema;

  public SubresourceDispatcher(
      ResourceVerbs verbs,
      BodyReader bodies,
      AnswerWriter answers,
      TokenRequests tokens,
      PodStreams streams,
      ObjectSchema schema) {
    this.verbs = verbs;
    this.bodies = bodies;
    this.answers = answers;
    this.tokens = tokens;
    this.streams = streams;
    this.schema = schema;
  }

  void dispatch(ServerExchange exchange, RequestTarget target, NegotiatedFormat wanted, Verb verb)
      throws IOException, InterruptedException {
    switch (target.subresource()) {
      case "status", "approval", "finalize", "ephemeralcontainers", "resize" ->
          answers.write(exchange, target, wanted, object(exchange, target, verb));
      case "scale" -> answers.write(exchange, target, wanted, scale(exchange, target, verb));
      case "binding" ->
          answers.write(
              exchange,
              target,
              wanted,
              verbs
                  .bindings()
                  .bind(
                      target,
                      body(exchange, "core.v1.Binding"),
                      ResourceDispatcher.writeOptions(exchange, "CreateOptions")));
      case "eviction" ->
          answers.write(
              exchange,
              target,
              wanted,
              verbs
                  .evictions()
                  .evict(
                      target,
                      body(exchange, "policy.v1.Eviction"),
                      exchange.query(),
                      ResourceDispatcher.writeOptions(exchange, "CreateOptions")));
      case "token" -> answers.write(exchange, target, wanted, token(exchange, target));
      default -> throw ApiException.noSuchResource();
    }
  }

  /// Serves a subresource whose answer comes from a node or a pod.
  void stream(ServerExchange exchange, RequestTarget target)
      throws IOException, InterruptedException {
    streams.serve(exchange, target);
  }

  /// The body is the whole object; the strategy of the subresource decides which part of it counts.
  private VerbAnswer object(ServerExchange exchange, RequestTarget target, Verb verb)
      throws IOException {
    return switch (verb) {
      case GET -> verbs.getter().get(target, exchange.query());
      case UPDATE ->
          verbs
              .updater()
              .update(
                  target,
                  bodies.read(exchange, target.version().type(), target.kind().names().kind()),
                  ResourceDispatcher.writeOptions(exchange, "UpdateOptions"));
      case PATCH -> {
        PatchBody patch = bodies.readPatch(exchange);
        WriteOptions options = patchOptions(exchange, patch);
        yield patch.type() == PatchBody.Type.APPLY
            ? verbs.applier().apply(target, patch, options)
            : verbs.patcher().patch(target, patch, options);
      }
      case CREATE, DELETE, DELETECOLLECTION, LIST, WATCH -> throw ApiException.methodNotAllowed();
    };
  }

  private VerbAnswer token(ServerExchange exchange, RequestTarget target) throws IOException {
    ObjectType type = schema.type("authentication.v1.TokenRequest");
    ObjectNode request =
        verbs
            .bodies()
            .decode(
                BodyType.of("authentication.k8s.io/v1", type),
                bodies.read(exchange, type, type.simpleName()),
                ResourceDispatcher.writeOptions(exchange, "CreateOptions").fieldValidation(),
                target.warnings());
    return new VerbAnswer.Other(
        201, tokens.create(target.user(), target.namespace(), target.name(), request));
  }

  private VerbAnswer scale(ServerExchange exchange, RequestTarget target, Verb verb)
      throws IOException {
    return switch (verb) {
      case GET -> verbs.scales().get(target);
      case UPDATE ->
          verbs
              .scales()
              .put(
                  target,
                  body(exchange, "autoscaling.v1.Scale"),
                  ResourceDispatcher.writeOptions(exchange, "UpdateOptions"));
      case PATCH -> {
        PatchBody patch = bodies.readPatch(exchange);
        yield verbs.scales().patch(target, patch, patchOptions(exchange, patch));
      }
      case CREATE, DELETE, DELETECOLLECTION, LIST, WATCH -> throw ApiException.methodNotAllowed();
    };
  }

  private static WriteOptions patchOptions(ServerExchange exchange, PatchBody patch) {
    return WriteOptions.parse(
        exchange.query(),
        exchange.header(HttpHeader.USER_AGENT),
        "PatchOptions",
        patch.type() == PatchBody.Type.APPLY);
  }

  private RequestBody body(ServerExchange exchange, String typeName) throws IOException {
    ObjectType type = schema.type(typeName);
    return bodies.read(exchange, type, type.simpleName());
  }
}

package dev.berth.server.http.routing;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.GoQuotedString;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.errors.ApiException;
import dev.berth.server.errors.ApiStatus;
import dev.berth.server.http.encoding.AnswerWriter;
import dev.berth.server.http.encoding.BodyReader;
import dev.berth.server.http.encoding.NegotiatedFormat;
import dev.berth.server.http.transport.ServerExchange;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ServedVersion;
import dev.berth.server.kinds.Subresource;
import dev.berth.server.kinds.Verb;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.resources.ResourceVerbs;
import dev.berth.server.resources.VerbAnswer;
import dev.berth.server.resources.requests.DeleteOptions;
import dev.berth.server.resources.requests.ListOptions;
import dev.berth.server.resources.requests.PatchBody;
import dev.berth.server.resources.requests.RequestBody;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.server.resources.requests.WriteOptions;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.server.schema.ObjectType;
import dev.berth.server.validation.fields.NameRule;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;

/// Dispatches a resource request to its verb and writes the answer.
///
/// The request has passed authentication, authorization and flow control. Options and body are
/// decoded before the verb runs; every error becomes the answer of `ApiHandler`.
public final class ResourceDispatcher {
  private final ServedKinds kinds;
  private final ResourceVerbs verbs;
  private final SubresourceDispatcher subresources;
  private final BodyReader bodies;
  private final AnswerWriter answers;
  private final WatchServer watches;
  private final ObjectType deleteOptionsType;
  private final InstantSource clock;

  public ResourceDispatcher(
      ServedKinds kinds,
      ResourceVerbs verbs,
      SubresourceDispatcher subresources,
      BodyReader bodies,
      AnswerWriter answers,
      WatchServer watches,
      ObjectSchema schema,
      InstantSource clock) {
    this.kinds = kinds;
    this.verbs = verbs;
    this.subresources = subresources;
    this.bodies = bodies;
    this.answers = answers;
    this.watches = watches;
    this.deleteOptionsType = schema.type("meta.v1.DeleteOptions");
    this.clock = clock;
  }

  public void dispatch(ServerExchange exchange, RequestInfo info, UserInfo user)
      throws IOException, InterruptedException {
    ResourceKind kind =
        kinds
            .resource(info.group(), info.version(), info.resource())
            .orElseThrow(ApiException::noSuchResource);
    ServedVersion version = kind.served(info.group(), info.version()).orElseThrow();
    String namespace = kind.namespaced() ? info.namespace() : "";
    if (exchange.method().equals("HEAD") && !info.subresource().equals("proxy")) {
      throw ApiException.methodNotAllowed();
    }
    checkScope(kind, info);
    checkSegment("Namespace", namespace);
    checkSegment("Name", info.name());
    // One time for the whole request: all timestamps that it sets are equal.
    RequestTarget target =
        new RequestTarget(
            kind,
            version,
            namespace,
            info.name(),
            info.subresource(),
            user,
            exchange.warnings(),
            clock.instant());
    // A log is text and a proxy answer may be of any type, so the Accept header is not parsed.
    boolean stream = info.isNodeStream();
    NegotiatedFormat wanted =
        stream ? NegotiatedFormat.JSON : NegotiatedFormat.parse(exchange.header(HttpHeader.ACCEPT));
    if (!info.subresource().isEmpty()) {
      Subresource subresource =
          kind.subresource(info.subresource()).orElseThrow(ApiException::noSuchResource);
      if (stream) {
        // A proxy passes OPTIONS on, which is not a verb.
        if (!info.subresource().equals("proxy") || !info.verb().equals("options")) {
          checkVerb(subresource.verbs(), info, true);
        }
        subresources.stream(exchange, target);
        return;
      }
      Verb verb = checkVerb(subresource.verbs(), info, true);
      seeNewest(info);
      subresources.dispatch(exchange, target, wanted, verb);
      return;
    }
    Verb verb = checkVerb(kind.verbs(), info, !info.name().isEmpty());
    seeNewest(info);
    serve(exchange, target, wanted, verb);
  }

  /// A write must see the newest state; a read says itself how fresh its answer must be.
  private void seeNewest(RequestInfo info) {
    if (!info.isRead()) {
      verbs.freshness().awaitNewest();
    }
  }

  /// Objects of all namespaces can be listed and watched, but only written within one.
  private static void checkScope(ResourceKind kind, RequestInfo info) {
    boolean inNamespace = !info.namespace().isEmpty();
    if (!kind.namespaced() && inNamespace && !info.resource().equals("namespaces")) {
      throw ApiException.noSuchResource();
    }
    if (kind.namespaced() && !inNamespace && !info.name().isEmpty()) {
      throw ApiException.noSuchResource();
    }
    boolean write = !info.isRead();
    if (kind.namespaced() && !inNamespace && write) {
      throw ApiException.methodNotAllowed();
    }
  }

  /// An invalid name is the client's mistake (400), not a missing object (404). Nearly every name
  /// is valid, so the valid case allocates nothing.
  private static void checkSegment(String parameter, String name) {
    if (name.indexOf('%') < 0 && name.indexOf('/') < 0 && !name.startsWith(".")) {
      return;
    }
    List<String> problems = NameRule.PATH_SEGMENT.problems(name);
    if (!problems.isEmpty()) {
      throw ApiException.badRequest(
          "%s parameter invalid: %s: %s"
              .formatted(parameter, GoQuotedString.quote(name), String.join(";", problems)));
    }
  }

  /// Collections take POST and DELETE, objects take PUT, PATCH and DELETE.
  private static Verb checkVerb(Set<Verb> allowed, RequestInfo info, boolean named) {
    Verb verb = info.knownVerb().orElseThrow(ApiException::methodNotAllowed);
    boolean rightPlace =
        switch (verb) {
          case CREATE -> !named || !info.subresource().isEmpty();
          case UPDATE, PATCH -> named;
          case DELETE, DELETECOLLECTION, GET, LIST, WATCH -> true;
        };
    if (verb == Verb.WATCH && !allowed.contains(verb)) {
      throw new ApiException(
          new ApiStatus(
              405,
              "MethodNotAllowed",
              "watch is not supported on resources of kind \"" + info.resource() + "\"",
              ApiStatus.Details.of("", "", info.resource())));
    }
    if (!allowed.contains(verb) || !rightPlace) {
      throw ApiException.methodNotAllowed();
    }
    return verb;
  }

  private void serve(
      ServerExchange exchange, RequestTarget target, NegotiatedFormat wanted, Verb verb)
      throws IOException, InterruptedException {
    switch (verb) {
      case GET ->
          answers.write(exchange, target, wanted, verbs.getter().get(target, exchange.query()));
      case LIST ->
          answers.write(
              exchange,
              target,
              wanted,
              verbs.lister().list(target, ListOptions.parse(exchange.query(), false)));
      case WATCH -> watches.serve(exchange, target, wanted);
      case CREATE -> answers.write(exchange, target, wanted, create(exchange, target));
      case UPDATE -> answers.write(exchange, target, wanted, update(exchange, target));
      case PATCH -> answers.write(exchange, target, wanted, patch(exchange, target));
      case DELETE ->
          answers.write(
              exchange, target, wanted, verbs.deleter().delete(target, deleteOptions(exchange)));
      case DELETECOLLECTION ->
          answers.write(exchange, target, wanted, deleteCollection(exchange, target));
    }
  }

  private VerbAnswer create(ServerExchange exchange, RequestTarget target) throws IOException {
    WriteOptions options = writeOptions(exchange, "CreateOptions");
    String kind = target.kind().names().kind();
    RequestBody body = bodies.read(exchange, target.version().type(), kind);
    return kind.equals("Binding")
        ? verbs.bindings().bindNamed(target, body, options)
        : verbs.creator().create(target, body, options);
  }

  private VerbAnswer update(ServerExchange exchange, RequestTarget target) throws IOException {
    WriteOptions options = writeOptions(exchange, "UpdateOptions");
    return verbs
        .updater()
        .update(
            target,
            bodies.read(exchange, target.version().type(), target.kind().names().kind()),
            options);
  }

  VerbAnswer patch(ServerExchange exchange, RequestTarget target) throws IOException {
    PatchBody patch = bodies.readPatch(exchange);
    boolean apply = patch.type() == PatchBody.Type.APPLY;
    WriteOptions options =
        WriteOptions.parse(
            exchange.query(), exchange.header(HttpHeader.USER_AGENT), "PatchOptions", apply);
    return apply
        ? verbs.applier().apply(target, patch, options)
        : verbs.patcher().patch(target, patch, options);
  }

  static WriteOptions writeOptions(ServerExchange exchange, String optionsKind) {
    return WriteOptions.parse(
        exchange.query(), exchange.header(HttpHeader.USER_AGENT), optionsKind, false);
  }

  private DeleteOptions deleteOptions(ServerExchange exchange) throws IOException {
    JsonNode body = bodies.readOptional(exchange, deleteOptionsType).orElse(null);
    return DeleteOptions.parse(body, exchange.query());
  }

  private VerbAnswer deleteCollection(ServerExchange exchange, RequestTarget target)
      throws IOException {
    DeleteOptions options = deleteOptions(exchange);
    return verbs
        .deleter()
        .deleteCollection(target, ListOptions.parse(exchange.query(), false), options);
  }
}

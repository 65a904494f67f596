package dev.berth.server.http.guard;

import dev.berth.api.FieldSelector;
import dev.berth.api.SelectorSyntaxException;
import dev.berth.relay.ports.ConnectionGuard;
import dev.berth.server.auth.AccessRequest;
import dev.berth.server.auth.AuthorizationDecision;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.auth.authorization.Authorizer;
import dev.berth.server.errors.ApiException;
import dev.berth.server.http.routing.RequestInfo;
import dev.berth.server.http.transport.ServerExchange;
import java.net.SocketAddress;
import java.util.function.Supplier;

/// Authenticates every request, asks flow control for a place and then authorizes it. `ApiHandler`
/// calls it once per request, before the body is read.
///
/// The order is fixed, and upstream's. Authentication comes first because all else depends on the
/// user; the audit record starts with its result, so that failed logins are recorded too.
/// Authorization comes last, so that a flood of forbidden requests takes seats of its own flow like
/// other requests.
public final class RequestGuard {
  private final RequestIdentity identification;
  private final FlowControl flows;
  private final Authorizer authorizer;
  private final RequestAudits audits;

  public RequestGuard(
      RequestIdentity identification,
      FlowControl flows,
      Authorizer authorizer,
      RequestAudits audits) {
    this.audits = audits;
    this.identification = identification;
    this.flows = flows;
    this.authorizer = authorizer;
  }

  /// A request that passed authentication and may go on when flow control lets it in.
  public record Passed(UserInfo user, RequestAdmission entrance) {}

  /// Never blocks; the caller goes on with {@link #admit}.
  public Passed pass(
      ServerExchange exchange, RequestInfo info, RequestMetrics.Measurement measurement) {
    UserInfo user = identify(exchange, info);
    SocketAddress client = exchange.request().getConnectionMetaData().getRemoteSocketAddress();
    return counting(
        measurement, () -> new Passed(user, flows.arrive(info, exchange.query(), user, client)));
  }

  /// Waits for seats, which the exchange then owns, and authorizes.
  ///
  /// @throws ApiException 429 after the time limit, 403 when the user may not do this
  public UserInfo admit(
      ServerExchange exchange,
      RequestInfo info,
      Passed passed,
      RequestMetrics.Measurement measurement) {
    UserInfo user =
        counting(
            measurement,
            () -> {
              passed.entrance().await();
              exchange.keep(passed.entrance());
              return passed.user();
            });
    authorize(exchange, accessRequest(exchange, info, user));
    if (info.isNodeStream()) {
      exchange.leaveSeats();
    }
    return user;
  }

  private static <T> T counting(RequestMetrics.Measurement measurement, Supplier<T> step) {
    try {
      return step.get();
    } catch (ApiException e) {
      measurement.terminated(e.status().code());
      throw e;
    }
  }

  private UserInfo identify(ServerExchange exchange, RequestInfo info) {
    UserInfo requester;
    try {
      requester = identification.authenticate(exchange);
    } catch (ApiException e) {
      exchange.record(audits.unauthenticated(exchange, info));
      throw e;
    }
    if (!requester.name().equals(UserInfo.ANONYMOUS.name())) {
      // The port closes idle connections of unknown clients first when it has too many.
      ConnectionGuard.noteKnownUser(exchange.request());
    }
    exchange.record(audits.received(exchange, info, requester));
    // The audit record names the requester even if the impersonation is refused.
    UserInfo user = identification.impersonate(exchange, requester);
    if (!user.equals(requester)) {
      exchange.audit().impersonated(user);
    }
    return user;
  }

  private void authorize(ServerExchange exchange, AccessRequest request) {
    AuthorizationDecision decision = authorizer.decide(request);
    exchange
        .audit()
        .annotate("authorization.k8s.io/decision", decision.allowed() ? "allow" : "forbid");
    exchange.audit().annotate("authorization.k8s.io/reason", decision.reason());
    if (!decision.allowed()) {
      throw request.forbidden(decision.reason());
    }
  }

  private static AccessRequest accessRequest(
      ServerExchange exchange, RequestInfo info, UserInfo user) {
    String selector = exchange.query().first("fieldSelector");
    AccessRequest.Target target =
        info.isResource()
            ? new AccessRequest.Target.Resource(
                info.group(),
                info.version(),
                info.resource(),
                info.subresource(),
                info.namespace(),
                info.name().isEmpty() ? selectedName(info.verb(), selector) : info.name(),
                selector)
            : new AccessRequest.Target.Path(info.path());
    return new AccessRequest(user, info.verb(), target);
  }

  /// Permission to get one named object includes list and watch of it: clients wait for an object
  /// with `fieldSelector=metadata.name=...`.
  static String selectedName(String verb, String fieldSelector) {
    if (fieldSelector.isEmpty() || !(verb.equals("list") || verb.equals("watch"))) {
      return "";
    }
    try {
      for (FieldSelector.Requirement one : FieldSelector.parse(fieldSelector).requirements()) {
        if (one.field().equals("metadata.name") && one.equal() && isPathSegment(one.value())) {
          return one.value();
        }
      }
      return "";
    } catch (SelectorSyntaxException e) {
      // The verb rejects the selector later with its own message.
      return "";
    }
  }

  private static boolean isPathSegment(String name) {
    return !name.equals(".") && !name.equals("..") && !name.contains("/") && !name.contains("%");
  }
}

package dev.berth.server.http.nodeproxy;

import dev.berth.relay.BackendAnswer;
import dev.berth.relay.BackendCall;
import dev.berth.relay.HangUp;
import dev.berth.relay.RelayBackend;
import dev.berth.relay.RequestBody;
import dev.berth.relay.UpgradedConnection;
import dev.berth.server.http.transport.ServerExchange;
import dev.berth.server.http.transport.WebSocketOrigin;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/// Relays requests to a pod or a node unchanged, with any length of body and any duration; errors
/// are the backend's own.
///
/// Backends are programs of users, so headers that would act in the name of this server are
/// removed: a cookie or `Strict-Transport-Security` of a pod would hold for the whole API server in
/// a browser.
final class ProxyRelay {
  private static final byte[] NOTHING = {};

  /// Response headers that concern the backend's connection or this server, or that grant something
  /// in this server's name.
  private static final Set<HttpHeader> NOT_PASSED_ON =
      Set.of(
          HttpHeader.CONNECTION,
          HttpHeader.KEEP_ALIVE,
          HttpHeader.PROXY_AUTHENTICATE,
          HttpHeader.TE,
          HttpHeader.TRAILER,
          HttpHeader.TRANSFER_ENCODING,
          HttpHeader.UPGRADE,
          HttpHeader.DATE,
          HttpHeader.SERVER,
          HttpHeader.SET_COOKIE,
          HttpHeader.STRICT_TRANSPORT_SECURITY,
          HttpHeader.CONTENT_TYPE,
          HttpHeader.LOCATION);

  private ProxyRelay() {}

  static void serve(ServerExchange exchange, RelayBackend backend, ProxyPath path)
      throws IOException, InterruptedException {
    boolean upgrade = UpgradedConnection.isWanted(exchange.request());
    if (upgrade) {
      WebSocketOrigin.check(exchange.headers());
    }
    if (!upgrade && path.needsSlash(exchange.method())) {
      exchange.response().getHeaders().put(HttpHeader.LOCATION, path.withSlash());
      exchange.send(301, "", NOTHING);
      return;
    }
    HangUp.mayBeSilent(exchange.request());
    RequestBody body = upgrade ? RequestBody.NONE : exchange.bodyToPass();
    BackendCall call =
        new BackendCall(exchange.method(), path.target(), exchange.headers(), body, upgrade);
    // Closing the body ends the sending thread, also when the backend does not answer: unread bytes
    // hold a buffer of the listener.
    try (InputStream _ = body.content();
        BackendAnswer answer = NodeRelay.send(call, backend)) {
      if (upgrade && answer.status() == BackendAnswer.SWITCHED) {
        NodeRelay.leaveHttp(exchange, answer);
      } else {
        headers(exchange, backend, path, answer.headers());
        NodeRelay.pass(exchange, answer);
      }
    }
  }

  private static void headers(
      ServerExchange exchange, RelayBackend backend, ProxyPath path, HttpFields fromBackend) {
    HttpFields.Mutable headers = exchange.response().getHeaders();
    for (HttpField field : fromBackend) {
      if (isPassedOn(field)) {
        headers.add(field);
      }
    }
    if (fromBackend.contains(HttpHeader.TRANSFER_ENCODING)) {
      headers.remove(HttpHeader.CONTENT_LENGTH);
    }
    String location = fromBackend.get(HttpHeader.LOCATION);
    if (location != null) {
      String here = path.location(location, backend.toString(), exchange.authority());
      headers.put(HttpHeader.LOCATION, here);
    }
  }

  private static boolean isPassedOn(HttpField field) {
    return (field.getHeader() == null || !NOT_PASSED_ON.contains(field.getHeader()))
        && !field.getName().regionMatches(true, 0, "Access-Control-", 0, 15);
  }
}

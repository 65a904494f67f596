package dev.berth.server.http.transport;

import dev.berth.relay.WebSocketHandshake;
import dev.berth.server.errors.ApiException;
import java.io.IOException;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.util.DecoratedObjectFactory;
import org.eclipse.jetty.util.compression.DeflaterPool;
import org.eclipse.jetty.util.compression.InflaterPool;
import org.eclipse.jetty.websocket.core.WebSocketComponents;
import org.eclipse.jetty.websocket.core.WebSocketExtensionRegistry;

/// Upgrades the connection of a request to a WebSocket (RFC 6455 section 4).
///
/// Only HTTP/1.1 has the upgrade; RFC 8441 defines another way for HTTP/2, which Kubernetes'
/// clients do not use.
public final class WebSocketUpgrade {
  /// What Jetty gives to extensions, of which none is accepted: no threads and no pools.
  private static final WebSocketComponents NO_EXTENSIONS =
      new WebSocketComponents(
          new WebSocketExtensionRegistry(),
          new DecoratedObjectFactory(),
          ByteBufferPool.NON_POOLING,
          new InflaterPool(0, true),
          new DeflaterPool(0, 0, true),
          Runnable::run);

  private WebSocketUpgrade() {}

  public static boolean isWanted(ServerExchange exchange) {
    return exchange.header(HttpHeader.UPGRADE).equalsIgnoreCase("websocket")
        && exchange.headers().contains(HttpHeader.CONNECTION, "upgrade")
        && exchange.request().getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_1;
  }

  /// Ends the exchange of HTTP; the calling thread may send messages from now on.
  ///
  /// @param protocol the subprotocol that was chosen of those that the client offers, "" for none
  public static WebSocket accept(ServerExchange exchange, HttpLimits limits, String protocol)
      throws IOException, InterruptedException {
    check(exchange);
    WebSocket socket =
        new WebSocket(
            exchange.request().getConnectionMetaData(),
            NO_EXTENSIONS,
            limits,
            exchange.share(),
            Thread.currentThread());
    // Jetty replaces the connection when the exchange completes with 101, so the attribute must be
    // set before.
    exchange.request().setAttribute(HttpStream.UPGRADE_CONNECTION_ATTRIBUTE, socket.connection());
    HttpFields.Mutable headers = exchange.response().getHeaders();
    WebSocketHandshake.accept(exchange.headers(), protocol).forEach(headers::put);
    exchange.switchProtocols();
    socket.awaitOpen();
    return socket;
  }

  /// Refuses a request that cannot become a WebSocket.
  public static void check(ServerExchange exchange) {
    Optional<String> problem = WebSocketHandshake.problem(exchange.headers());
    if (problem.isPresent()) {
      exchange
          .response()
          .getHeaders()
          .put(HttpHeader.SEC_WEBSOCKET_VERSION, WebSocketHandshake.VERSION);
      throw ApiException.badRequest(problem.get());
    }
    WebSocketOrigin.check(exchange.headers());
  }
}

package dev.berth.server.http.transport;

import dev.berth.relay.WebSocketHandshake;
import dev.berth.server.errors.ApiException;
import java.io.IOException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.HttpStream;

/// Turns the connection of a request into a WebSocket (RFC 6455 section 4).
public final class WebSocketUpgrade {
  private static final String VERSION = "13";

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
    ConnectionMetaData metaData = exchange.request().getConnectionMetaData();
    WebSocket socket =
        new WebSocket(
            metaData.getConnection().getEndPoint(),
            metaData.getConnector().getExecutor(),
            limits,
            exchange.share(),
            Thread.currentThread());
    exchange.request().setAttribute(HttpStream.UPGRADE_CONNECTION_ATTRIBUTE, socket);
    HttpFields.Mutable headers = exchange.response().getHeaders();
    headers.put(HttpHeader.UPGRADE, "websocket");
    headers.put(HttpHeader.CONNECTION, "Upgrade");
    headers.put(
        HttpHeader.SEC_WEBSOCKET_ACCEPT,
        WebSocketHandshake.digest(exchange.header(HttpHeader.SEC_WEBSOCKET_KEY)));
    if (!protocol.isEmpty()) {
      headers.put(HttpHeader.SEC_WEBSOCKET_SUBPROTOCOL, protocol);
    }
    exchange.switchProtocols();
    socket.awaitOpen();
    return socket;
  }

  /// Refuses a request that cannot become a WebSocket.
  public static void check(ServerExchange exchange) {
    if (!exchange.header(HttpHeader.SEC_WEBSOCKET_VERSION).equals(VERSION)) {
      exchange.response().getHeaders().put(HttpHeader.SEC_WEBSOCKET_VERSION, VERSION);
      throw ApiException.badRequest("the version of WebSocket must be " + VERSION);
    }
    if (exchange.header(HttpHeader.SEC_WEBSOCKET_KEY).isEmpty()) {
      throw ApiException.badRequest("the key of the WebSocket is missing");
    }
    WebSocketOrigin.check(exchange.headers());
  }
}

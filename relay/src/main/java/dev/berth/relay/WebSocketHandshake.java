package dev.berth.relay;

import java.util.Objects;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.websocket.core.WebSocketConstants;
import org.eclipse.jetty.websocket.core.util.WebSocketUtils;

/// The server's half of the handshake of a WebSocket (RFC 6455 section 4.2). No extension is
/// accepted: compression lets a few bytes of a client become many.
public final class WebSocketHandshake {
  /// The only version of the protocol.
  public static final String VERSION = WebSocketConstants.SPEC_VERSION_STRING;

  private WebSocketHandshake() {}

  /// Why a request cannot be accepted.
  public static Optional<String> problem(HttpFields request) {
    if (!VERSION.equals(request.get(HttpHeader.SEC_WEBSOCKET_VERSION))) {
      return Optional.of("the version of WebSocket must be " + VERSION);
    }
    String key = request.get(HttpHeader.SEC_WEBSOCKET_KEY);
    return key == null || key.isBlank()
        ? Optional.of("the key of the WebSocket is missing")
        : Optional.empty();
  }

  /// The headers that accept a request without a problem.
  ///
  /// @param protocol the subprotocol that is spoken, "" for none
  public static HttpFields accept(HttpFields request, String protocol) {
    String key = Objects.requireNonNullElse(request.get(HttpHeader.SEC_WEBSOCKET_KEY), "");
    HttpFields.Mutable headers =
        HttpFields.build()
            .put(HttpHeader.UPGRADE, "websocket")
            .put(HttpHeader.CONNECTION, "Upgrade")
            .put(HttpHeader.SEC_WEBSOCKET_ACCEPT, WebSocketUtils.hashKey(key.strip()));
    if (!protocol.isEmpty()) {
      headers.put(HttpHeader.SEC_WEBSOCKET_SUBPROTOCOL, protocol);
    }
    return headers.asImmutable();
  }
}

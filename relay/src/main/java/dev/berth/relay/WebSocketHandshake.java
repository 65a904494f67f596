package dev.berth.relay;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/// The server's half of the handshake of a WebSocket (RFC 6455 section 4.2).
public final class WebSocketHandshake {
  private static final String VERSION = "13";
  private static final String ACCEPT_KEY = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

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
  /// @param protocol the subprotocol that is spoken
  public static HttpFields accept(HttpFields request, String protocol) {
    String key = request.get(HttpHeader.SEC_WEBSOCKET_KEY);
    return HttpFields.build()
        .put(HttpHeader.UPGRADE, "websocket")
        .put(HttpHeader.CONNECTION, "Upgrade")
        .put(HttpHeader.SEC_WEBSOCKET_ACCEPT, digest(key == null ? "" : key))
        .put(HttpHeader.SEC_WEBSOCKET_SUBPROTOCOL, protocol)
        .asImmutable();
  }

  /// What proves that the server understands WebSockets; nothing depends on its strength.
  public static String digest(String key) {
    try {
      byte[] text = (key.strip() + ACCEPT_KEY).getBytes(StandardCharsets.ISO_8859_1);
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK has no SHA-1", e);
    }
  }
}

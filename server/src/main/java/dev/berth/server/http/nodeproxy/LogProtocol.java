package dev.berth.server.http.nodeproxy;

import dev.berth.server.errors.ApiException;
import dev.berth.server.errors.ApiStatus;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.websocket.core.OpCode;

/// The WebSocket subprotocols for one stream of bytes, with upstream's names.
enum LogProtocol {
  /// Serves clients that offer no subprotocol.
  UNNAMED(""),
  BINARY("binary.k8s.io"),
  BASE64("base64.binary.k8s.io");

  private final String text;

  LogProtocol(String text) {
    this.text = text;
  }

  /// The value in the header `Sec-WebSocket-Protocol`, "" for none.
  String text() {
    return text;
  }

  /// Chooses the first protocol of the client's offer that the server supports.
  static LogProtocol choose(HttpFields headers) {
    List<String> offered = headers.getCSV(HttpHeader.SEC_WEBSOCKET_SUBPROTOCOL, false);
    if (offered.isEmpty()) {
      return UNNAMED;
    }
    for (String one : offered) {
      for (LogProtocol known : List.of(BINARY, BASE64)) {
        if (one.equals(known.text)) {
          return known;
        }
      }
    }
    // Upstream's servers answer 403.
    throw new ApiException(
        new ApiStatus(
            HttpStatus.FORBIDDEN_403,
            "Forbidden",
            "logs are not sent in the WebSocket subprotocols [%s]: offer %s or %s, or none"
                .formatted(String.join(" ", offered), BINARY.text, BASE64.text),
            ApiStatus.Details.ABSENT));
  }

  byte opcode() {
    return switch (this) {
      case UNNAMED, BINARY -> OpCode.BINARY;
      case BASE64 -> OpCode.TEXT;
    };
  }

  /// Encodes the payload of one message; each message can be decoded alone.
  ByteBuffer encode(ByteBuffer bytes) {
    return switch (this) {
      case UNNAMED, BINARY -> bytes;
      case BASE64 -> Base64.getEncoder().encode(bytes);
    };
  }
}

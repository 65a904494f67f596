package dev.berth.cri.http;

import io.grpc.netty.shaded.io.netty.buffer.ByteBufUtil;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames;
import io.grpc.netty.shaded.io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.grpc.netty.shaded.io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import io.grpc.netty.shaded.io.netty.handler.codec.http.websocketx.WebSocketServerHandshaker;
import io.grpc.netty.shaded.io.netty.handler.codec.http.websocketx.WebSocketServerHandshakerFactory;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The server's end of a WebSocket (RFC 6455) with one of the given subprotocols. One thread reads,
/// any thread may send.
public final class WebSocket {
  /// Bound of a message that a client sends; a longer one ends the connection.
  private static final int MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

  private final FrameQueue frames;
  private final String protocol;

  private WebSocket(FrameQueue frames, String protocol) {
    this.frames = frames;
    this.protocol = protocol;
  }

  /// Whether the client asks for a WebSocket.
  public static boolean isWanted(HttpExchange exchange) {
    return exchange.header("Upgrade").equalsIgnoreCase("websocket")
        && !exchange.header("Sec-WebSocket-Key").isEmpty();
  }

  /// Answers the handshake with the first of our protocols that the client offers. Empty when there
  /// is none; the client then gets 400.
  public static Optional<WebSocket> accept(HttpExchange exchange, List<String> protocols)
      throws IOException {
    List<String> offered = exchange.listHeader(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL.toString());
    Optional<String> protocol = protocols.stream().filter(offered::contains).findFirst();
    WebSocketServerHandshaker handshaker =
        new WebSocketServerHandshakerFactory(
                exchange.path(), protocol.orElse(null), false, MAX_MESSAGE_BYTES)
            .newHandshaker(exchange.request());
    if (protocol.isEmpty() || handshaker == null) {
      exchange.answer(
          400, "text/plain", "none of the protocols is spoken here: " + protocols + "\n");
      return Optional.empty();
    }
    FrameQueue frames = new FrameQueue(exchange.channel());
    exchange.onEventLoop(
        pipeline -> {
          ChannelFuture _ = handshaker.handshake(exchange.channel(), exchange.request());
          pipeline.addLast(new WebSocketFrameAggregator(MAX_MESSAGE_BYTES), frames);
        });
    return Optional.of(new WebSocket(frames, protocol.get()));
  }

  public String protocol() {
    return protocol;
  }

  /// The next message; null when the client has gone.
  public byte @Nullable [] read() {
    while (true) {
      switch (frames.read()) {
        case null -> {
          return null;
        }
        case CloseWebSocketFrame close -> {
          close.release();
          return null;
        }
        // Go's clients ping to keep connections alive through proxies, and close them without an
        // answer.
        case PingWebSocketFrame ping -> frames.write(new PongWebSocketFrame(ping.content()));
        case PongWebSocketFrame pong -> pong.release();
        case WebSocketFrame data -> {
          byte[] message = ByteBufUtil.getBytes(data.content());
          data.release();
          return message;
        }
        case Object other -> throw new IllegalStateException("unexpected frame " + other);
      }
    }
  }

  /// Sends one binary message; false when the client has gone.
  public boolean send(byte[] message) {
    return frames.write(new BinaryWebSocketFrame(Unpooled.wrappedBuffer(message)));
  }

  /// Starts the closing handshake.
  public void close() {
    frames.write(new CloseWebSocketFrame(WebSocketCloseStatus.NORMAL_CLOSURE));
  }
}

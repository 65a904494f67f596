package dev.berth.cri.http;

import io.grpc.netty.shaded.io.netty.buffer.ByteBufUtil;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.grpc.netty.shaded.io.netty.handler.codec.http.FullHttpResponse;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderValues;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpObjectAggregator;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpResponseStatus;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpServerCodec;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpVersion;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.DefaultSpdyDataFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.DefaultSpdyGoAwayFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.DefaultSpdySynReplyFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdyDataFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdyFrameCodec;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdyPingFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdyRstStreamFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdySynStreamFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdyVersion;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The server's end of a SPDY/3.1 connection as Kubernetes' clients use it.
///
/// The client opens streams, whose headers say what each is for. Neither side counts flow-control
/// windows, as in Kubernetes' own implementation (moby/spdystream).
public final class SpdyConnection {
  private static final String NAME = "SPDY/3.1";
  private static final String PROTOCOL = "X-Stream-Protocol-Version";

  /// Maximum bytes of a data frame, far below SPDY's limit of 16 MiB.
  private static final int MAX_DATA_BYTES = 32 * 1024;

  /// What the client has sent.
  public sealed interface Event {
    int stream();
  }

  /// A new stream.
  ///
  /// @param headers with names in lower case
  public record Opened(int stream, Map<String, String> headers) implements Event {
    public Opened {
      headers = Map.copyOf(headers);
    }
  }

  /// Bytes of a stream, or its end.
  ///
  /// @param last whether the client sends no more on this stream
  @SuppressWarnings("ArrayRecordComponent")
  public record Data(int stream, byte[] bytes, boolean last) implements Event {}

  private final FrameQueue frames;
  private final String protocol;

  /// The end of a stream that was opened with its last frame. Used by the one thread that reads.
  private final Queue<Event> events = new ArrayDeque<>();

  /// Held while frames of one stream are written, so that `close` does not come between them.
  private final ReentrantLock writing = new ReentrantLock();

  /// Guarded by the lock.
  private boolean closed;

  /// Used by the thread that reads; `close` needs only a value that was current once.
  private volatile int newestStream;

  private SpdyConnection(FrameQueue frames, String protocol) {
    this.frames = frames;
    this.protocol = protocol;
  }

  /// Whether the client asks for SPDY.
  public static boolean isWanted(HttpExchange exchange) {
    return exchange.header("Upgrade").equalsIgnoreCase(NAME);
  }

  /// Upgrades the connection to the first of our protocols that the client offers. Empty when there
  /// is none; the client then gets 403, as from a kubelet.
  public static Optional<SpdyConnection> accept(HttpExchange exchange, List<String> protocols)
      throws IOException {
    List<String> offered = exchange.listHeader(PROTOCOL);
    Optional<String> protocol = protocols.stream().filter(offered::contains).findFirst();
    if (protocol.isEmpty()) {
      exchange.answer(
          403,
          "text/plain",
          "unable to upgrade: unable to negotiate protocol: client supports %s, server accepts %s\n"
              .formatted(offered, protocols));
      return Optional.empty();
    }
    FullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS);
    response
        .headers()
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
        .set(HttpHeaderNames.UPGRADE, NAME)
        .set(PROTOCOL, protocol.get());
    FrameQueue frames = new FrameQueue(exchange.channel());
    exchange.onEventLoop(
        pipeline -> {
          ChannelFuture _ = pipeline.writeAndFlush(response);
          pipeline.remove(HttpObjectAggregator.class);
          pipeline.remove(HttpServerCodec.class);
          pipeline.addLast(new SpdyFrameCodec(SpdyVersion.SPDY_3_1), frames);
        });
    return Optional.of(new SpdyConnection(frames, protocol.get()));
  }

  public String protocol() {
    return protocol;
  }

  /// What the client sends next; null when it has gone.
  public @Nullable Event read() {
    Event event = events.poll();
    while (event == null) {
      Object frame = frames.read();
      if (frame == null || isBroken(frame)) {
        return null;
      }
      event = event(frame);
    }
    return event;
  }

  /// Sends bytes of a stream in frames of a bounded size; false when the client has gone.
  public boolean send(int stream, byte[] bytes, boolean last) {
    writing.lock();
    try {
      int at = 0;
      boolean sent;
      do {
        int end = Math.min(bytes.length, at + MAX_DATA_BYTES);
        DefaultSpdyDataFrame frame =
            new DefaultSpdyDataFrame(stream, Unpooled.copiedBuffer(bytes, at, end - at));
        frame.setLast(last && end == bytes.length);
        sent = !closed && frames.write(frame);
        at = end;
      } while (sent && at < bytes.length);
      return sent;
    } finally {
      writing.unlock();
    }
  }

  /// Sends GOAWAY and the end of the output; what the client still sends can be read.
  public void close() {
    writing.lock();
    try {
      if (!closed) {
        closed = true;
        frames.write(new DefaultSpdyGoAwayFrame(newestStream, 0));
        frames.endOutput();
      }
    } finally {
      writing.unlock();
    }
  }

  /// Headers are compressed over all frames, so nothing after a broken block can be read.
  private static boolean isBroken(Object frame) {
    return frame instanceof SpdySynStreamFrame opened
        && (opened.isInvalid() || opened.isTruncated());
  }

  /// Translates a frame; null for one that changes nothing here, such as settings, windows and
  /// GOAWAY. A client that goes away also ends its connection.
  private @Nullable Event event(Object frame) {
    return switch (frame) {
      case SpdySynStreamFrame opened -> {
        newestStream = Math.max(newestStream, opened.streamId());
        DefaultSpdySynReplyFrame reply = new DefaultSpdySynReplyFrame(opened.streamId());
        // Go's clients cannot read a block without any header.
        reply.headers().add(":status", "200");
        frames.write(reply);
        if (opened.isLast()) {
          events.add(new Data(opened.streamId(), new byte[0], true));
        }
        yield new Opened(opened.streamId(), headers(opened));
      }
      case SpdyDataFrame data -> {
        byte[] bytes = ByteBufUtil.getBytes(data.content());
        data.release();
        yield new Data(data.streamId(), bytes, data.isLast());
      }
      case SpdyRstStreamFrame reset -> new Data(reset.streamId(), new byte[0], true);
      case SpdyPingFrame ping -> {
        frames.write(ping);
        yield null;
      }
      default -> null;
    };
  }

  private static Map<String, String> headers(SpdySynStreamFrame frame) {
    Map<String, String> headers = new HashMap<>();
    frame
        .headers()
        .forEach(entry -> headers.put(entry.getKey().toString(), entry.getValue().toString()));
    return headers;
  }
}

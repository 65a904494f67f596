package dev.berth.sim.http;

import dev.berth.cri.streaming.SpdyFrames;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufUtil;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.DefaultSpdyDataFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.DefaultSpdyGoAwayFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.DefaultSpdySynReplyFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdyDataFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdyFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdyPingFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdyRstStreamFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdySynStreamFrame;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The server's end of a SPDY/3.1 connection as Kubernetes' clients use it: they open streams,
/// whose headers say what each is for, and nobody counts windows.
public final class SpdyConnection {
  private static final String NAME = "SPDY/3.1";
  private static final String PROTOCOL = "X-Stream-Protocol-Version";
  private static final int LARGEST_DATA = 32 * 1024;

  /// What the client did.
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

  private final HttpExchange exchange;
  private final String protocol;

  /// Both used by the one thread that reads.
  private final SpdyFrames incoming = new SpdyFrames();

  private final Queue<Event> events = new ArrayDeque<>();

  private final ReentrantLock writing = new ReentrantLock();

  /// All guarded by the lock.
  private final SpdyFrames outgoing = new SpdyFrames();

  private int newestStream;
  private boolean closed;

  private SpdyConnection(HttpExchange exchange, String protocol) {
    this.exchange = exchange;
    this.protocol = protocol;
  }

  /// Whether the client wants one.
  public static boolean isWanted(HttpExchange exchange) {
    return exchange.header("Upgrade").equalsIgnoreCase(NAME);
  }

  /// Leaves HTTP; the first protocol of ours that the client offers is spoken. Empty when there is
  /// none, which the client is told.
  public static Optional<SpdyConnection> accept(HttpExchange exchange, List<String> protocols)
      throws IOException {
    List<String> offered =
        Arrays.stream(exchange.header(PROTOCOL).split(",", -1)).map(String::strip).toList();
    Optional<String> protocol = protocols.stream().filter(offered::contains).findFirst();
    if (protocol.isEmpty()) {
      exchange.answer(
          403,
          "text/plain",
          "unable to upgrade: unable to negotiate protocol: client supports %s, server accepts %s\n"
              .formatted(offered, protocols));
      return Optional.empty();
    }
    String answer =
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: %s\r\n%s: %s\r\n\r\n"
            .formatted(NAME, PROTOCOL, protocol.get());
    exchange.out().write(answer.getBytes(StandardCharsets.US_ASCII));
    exchange.out().flush();
    return Optional.of(new SpdyConnection(exchange, protocol.get()));
  }

  public String protocol() {
    return protocol;
  }

  /// What the client does next; null when it has gone.
  public @Nullable Event read() {
    byte[] bytes = new byte[LARGEST_DATA];
    try {
      while (events.isEmpty()) {
        int length = exchange.in().read(bytes);
        if (length < 0) {
          incoming.close();
          return null;
        }
        for (SpdyFrame frame : incoming.decode(ByteBuffer.wrap(bytes, 0, length))) {
          take(frame);
        }
      }
      return events.remove();
    } catch (IOException _) {
      incoming.close();
      return null;
    }
  }

  /// False when the client has gone.
  public boolean send(int stream, byte[] bytes, boolean last) {
    int at = 0;
    boolean sent;
    do {
      int end = Math.min(bytes.length, at + LARGEST_DATA);
      DefaultSpdyDataFrame frame =
          new DefaultSpdyDataFrame(stream, Unpooled.copiedBuffer(bytes, at, end - at));
      frame.setLast(last && end == bytes.length);
      sent = write(frame);
      at = end;
    } while (sent && at < bytes.length);
    return sent;
  }

  /// Says good-bye; what the client still sends can be read.
  public void close() {
    writing.lock();
    try {
      if (!closed) {
        write(new DefaultSpdyGoAwayFrame(newestStream, 0));
        closed = true;
        outgoing.close();
        exchange.endOutput();
      }
    } catch (IOException _) {
      // The client went first.
    } finally {
      writing.unlock();
    }
  }

  private void take(SpdyFrame frame) throws IOException {
    switch (frame) {
      case SpdySynStreamFrame opened -> {
        if (opened.isInvalid() || opened.isTruncated()) {
          throw new IOException("headers are not accepted");
        }
        events.add(new Opened(opened.streamId(), headers(opened)));
        reply(opened.streamId());
        if (opened.isLast()) {
          events.add(new Data(opened.streamId(), new byte[0], true));
        }
      }
      case SpdyDataFrame data -> {
        byte[] bytes = ByteBufUtil.getBytes(data.content());
        data.release();
        events.add(new Data(data.streamId(), bytes, data.isLast()));
      }
      case SpdyRstStreamFrame reset -> events.add(new Data(reset.streamId(), new byte[0], true));
      case SpdyPingFrame ping -> write(ping);
      // Settings, windows and good-byes change nothing here; the end of the connection counts.
      default -> {}
    }
  }

  private void reply(int stream) {
    writing.lock();
    try {
      newestStream = Math.max(newestStream, stream);
      DefaultSpdySynReplyFrame reply = new DefaultSpdySynReplyFrame(stream);
      // Go's clients cannot read a block without any header.
      reply.headers().add(":status", "200");
      write(reply);
    } finally {
      writing.unlock();
    }
  }

  private boolean write(SpdyFrame frame) {
    writing.lock();
    try {
      if (closed) {
        return false;
      }
      exchange.out().write(outgoing.encode(frame));
      exchange.out().flush();
      return true;
    } catch (IOException _) {
      return false;
    } finally {
      writing.unlock();
    }
  }

  private static Map<String, String> headers(SpdySynStreamFrame frame) {
    Map<String, String> headers = new HashMap<>();
    frame
        .headers()
        .forEach(entry -> headers.put(entry.getKey().toString(), entry.getValue().toString()));
    return headers;
  }
}

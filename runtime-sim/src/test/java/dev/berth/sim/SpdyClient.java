package dev.berth.sim;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufUtil;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.embedded.EmbeddedChannel;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.DefaultSpdyDataFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.DefaultSpdySynStreamFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdyDataFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdyFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdyFrameCodec;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdyVersion;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// The client's end of streams over SPDY, as kubectl before 1.29 is it.
final class SpdyClient implements AutoCloseable {
  private final Socket socket;
  private final String head;
  private final EmbeddedChannel in = new EmbeddedChannel(new SpdyFrameCodec(SpdyVersion.SPDY_3_1));
  private final EmbeddedChannel out = new EmbeddedChannel(new SpdyFrameCodec(SpdyVersion.SPDY_3_1));
  private final Map<Integer, ByteArrayOutputStream> streams = new HashMap<>();
  private final Set<Integer> ended = new HashSet<>();
  private int newest = -1;

  SpdyClient(String url, String protocol) throws IOException {
    URI uri = URI.create(url);
    socket = new Socket(uri.getHost(), uri.getPort());
    String request =
        """
        POST %s HTTP/1.1\r
        Host: localhost\r
        Connection: Upgrade\r
        Upgrade: SPDY/3.1\r
        X-Stream-Protocol-Version: %s\r
        \r
        """
            .formatted(uri.getPath(), protocol);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    StringBuilder answer = new StringBuilder();
    InputStream from = socket.getInputStream();
    while (!answer.toString().endsWith("\r\n\r\n")) {
      answer.append((char) from.read());
    }
    head = answer.toString();
  }

  /// The head of the answer in HTTP.
  String head() {
    return head;
  }

  /// Opens a stream with headers: name, value, name, value.
  int open(String... headers) throws IOException {
    newest += 2;
    DefaultSpdySynStreamFrame frame = new DefaultSpdySynStreamFrame(newest, 0, (byte) 0);
    for (int i = 0; i < headers.length; i += 2) {
      frame.headers().add(headers[i], headers[i + 1]);
    }
    write(frame);
    return newest;
  }

  void send(int stream, String text, boolean last) throws IOException {
    DefaultSpdyDataFrame frame =
        new DefaultSpdyDataFrame(stream, Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
    frame.setLast(last);
    write(frame);
  }

  private void write(SpdyFrame frame) throws IOException {
    out.writeOutbound(frame);
    for (ByteBuf part = out.readOutbound(); part != null; part = out.readOutbound()) {
      socket.getOutputStream().write(ByteBufUtil.getBytes(part));
      part.release();
    }
  }

  /// Reads until the condition holds; fails when the server hangs up first.
  void readUntil(BooleanSupplier condition) throws IOException {
    byte[] bytes = new byte[4096];
    while (!condition.getAsBoolean()) {
      int length = socket.getInputStream().read(bytes);
      if (length < 0) {
        throw new AssertionError("the server hung up; until then: " + streams);
      }
      in.writeInbound(Unpooled.copiedBuffer(bytes, 0, length));
      for (Object frame = in.readInbound(); frame != null; frame = in.readInbound()) {
        if (frame instanceof SpdyDataFrame data) {
          stream(data.streamId()).writeBytes(ByteBufUtil.getBytes(data.content()));
          data.release();
          if (data.isLast()) {
            ended.add(data.streamId());
          }
        }
      }
    }
  }

  /// Whether the server hangs up in order.
  boolean readsToItsEnd() throws IOException {
    socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    return true;
  }

  boolean ended(int stream) {
    return ended.contains(stream);
  }

  String text(int stream) {
    return stream(stream).toString(StandardCharsets.UTF_8);
  }

  private ByteArrayOutputStream stream(int stream) {
    return streams.computeIfAbsent(stream, _ -> new ByteArrayOutputStream());
  }

  @Override
  public void close() throws IOException {
    socket.close();
    in.finishAndReleaseAll();
    out.finishAndReleaseAll();
  }
}

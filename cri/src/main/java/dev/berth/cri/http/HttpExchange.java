package dev.berth.cri.http;

import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.channel.ChannelPipeline;
import io.grpc.netty.shaded.io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.grpc.netty.shaded.io.netty.handler.codec.http.FullHttpRequest;
import io.grpc.netty.shaded.io.netty.handler.codec.http.FullHttpResponse;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderValues;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpResponseStatus;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpVersion;
import io.grpc.netty.shaded.io.netty.handler.codec.http.QueryStringDecoder;
import io.grpc.netty.shaded.io.netty.util.concurrent.Future;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/// One HTTP request and its answer, or the upgrade of its connection to another protocol.
///
/// A connection carries one request: the answer closes it, so that no state of a request outlives
/// it. One thread at a time uses an exchange.
public final class HttpExchange implements AutoCloseable {
  private final Channel channel;

  /// Without its body, whose buffer is released when the event loop goes on.
  private final FullHttpRequest request;

  private final String body;

  HttpExchange(Channel channel, FullHttpRequest request) {
    this.channel = channel;
    this.body = request.content().toString(StandardCharsets.UTF_8);
    this.request = request.replace(Unpooled.EMPTY_BUFFER);
  }

  public String method() {
    return request.method().name();
  }

  public String path() {
    return new QueryStringDecoder(request.uri()).rawPath();
  }

  /// The value of a header; empty when there is none.
  public String header(String name) {
    return String.join(", ", request.headers().getAll(name));
  }

  /// The elements of a header that lists them.
  List<String> listHeader(String name) {
    return Arrays.stream(header(name).split(",", -1)).map(String::strip).toList();
  }

  public String body() {
    return body;
  }

  public void answer(int status, String type, String text) throws IOException {
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(status),
            Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, type)
        .set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes())
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    await(channel.writeAndFlush(response));
  }

  Channel channel() {
    return channel;
  }

  FullHttpRequest request() {
    return request;
  }

  /// Changes the connection's pipeline, and returns when that is done. No byte is decoded
  /// meanwhile: decoders run on the same event loop.
  void onEventLoop(Consumer<ChannelPipeline> change) throws IOException {
    await(channel.eventLoop().submit(() -> change.accept(channel.pipeline())));
  }

  @Override
  public void close() {
    ChannelFuture _ = channel.close();
  }

  private static void await(Future<?> future) throws IOException {
    try {
      if (!future.await().isSuccess()) {
        throw new IOException(future.cause());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the connection was written");
    }
  }
}

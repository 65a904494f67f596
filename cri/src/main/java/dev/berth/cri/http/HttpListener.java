package dev.berth.cri.http;

import dev.berth.cri.CriTransport;
import dev.berth.cri.SocketFile;
import io.grpc.netty.shaded.io.netty.bootstrap.ServerBootstrap;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInitializer;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.SimpleChannelInboundHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.group.ChannelGroup;
import io.grpc.netty.shaded.io.netty.channel.group.ChannelGroupFuture;
import io.grpc.netty.shaded.io.netty.channel.group.DefaultChannelGroup;
import io.grpc.netty.shaded.io.netty.channel.socket.ChannelInputShutdownEvent;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import io.grpc.netty.shaded.io.netty.handler.codec.http.FullHttpRequest;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpObjectAggregator;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpServerCodec;
import io.grpc.netty.shaded.io.netty.util.concurrent.ImmediateEventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Accepts HTTP/1.1 connections with Netty's codecs, and answers the one request of each on a
/// virtual thread.
///
/// Netty comes with gRPC and its event loops run already, so a second server library would only add
/// start time; Netty also has the WebSocket and SPDY codecs that the streams need.
public final class HttpListener implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HttpListener.class);

  /// Bound of a request's body; Netty answers a longer one with 413.
  private static final int MAX_BODY_BYTES = 4 * 1024 * 1024;

  /// Answers requests.
  public interface Handler {
    void handle(HttpExchange exchange) throws IOException;
  }

  private final Handler handler;
  private final ChannelGroup connections =
      new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE, true);
  private final Channel server;
  private final @Nullable SocketFile file;

  private HttpListener(
      CriTransport transport,
      Class<? extends ServerChannel> type,
      SocketAddress address,
      @Nullable SocketFile file,
      Handler handler)
      throws IOException {
    this.handler = handler;
    ChannelFuture bound =
        new ServerBootstrap()
            .group(transport.loops())
            .channel(type)
            // Bytes are read only while a thread waits for them: a slow session slows its client.
            .childOption(ChannelOption.AUTO_READ, false)
            // A client that has sent all it has may still read.
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .childHandler(new Connection())
            .bind(address)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException(bound.cause());
    }
    this.server = bound.channel();
    try {
      this.file = file == null ? null : file.publish();
    } catch (IOException e) {
      ChannelFuture _ = server.close();
      throw e;
    }
  }

  /// Listens on a free port of the loopback interface.
  public static HttpListener onLoopback(CriTransport transport, Handler handler)
      throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    return new HttpListener(transport, EpollServerSocketChannel.class, address, null, handler);
  }

  /// Listens at a unix socket that only its owner may use; replaces a stale one.
  public static HttpListener atSocket(CriTransport transport, Path path, Handler handler)
      throws IOException {
    SocketFile file = SocketFile.prepare(path);
    DomainSocketAddress address = new DomainSocketAddress(file.bindPath().toFile());
    return new HttpListener(
        transport, EpollServerDomainSocketChannel.class, address, file, handler);
  }

  /// The port of a listener on the loopback interface.
  public int port() {
    return ((InetSocketAddress) server.localAddress()).getPort();
  }

  /// Stops listening and closes open connections. Threads that read from one see its end.
  @Override
  public void close() {
    ChannelFuture _ = server.close().awaitUninterruptibly();
    ChannelGroupFuture _ = connections.close().awaitUninterruptibly();
    if (file != null) {
      file.remove();
    }
  }

  private final class Connection extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {
      connections.add(channel);
      channel
          .pipeline()
          .addLast(
              new HttpServerCodec(), new HttpObjectAggregator(MAX_BODY_BYTES), new FirstRequest());
    }
  }

  /// Hands the only request of a connection to a thread, and then leaves the pipeline: what follows
  /// belongs to the exchange.
  private final class FirstRequest extends SimpleChannelInboundHandler<FullHttpRequest> {
    @Override
    public void channelActive(ChannelHandlerContext context) {
      context.read();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
      HttpExchange exchange = new HttpExchange(context.channel(), request);
      Thread.ofVirtual().name("http-connection").start(() -> serve(exchange));
      // From here on the exchange's thread owns the connection.
      context.pipeline().remove(this);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (event instanceof ChannelInputShutdownEvent) {
        ChannelFuture _ = context.close();
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      log.debug("connection ended reason={}", cause.toString());
      ChannelFuture _ = context.close();
    }
  }

  private void serve(HttpExchange exchange) {
    try (exchange) {
      handler.handle(exchange);
    } catch (IOException e) {
      log.debug("connection ended reason={}", e.toString());
    } catch (RuntimeException e) {
      log.warn("request failed", e);
    }
  }
}

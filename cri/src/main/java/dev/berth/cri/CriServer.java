package dev.berth.cri;

import dev.berth.api.Problem;
import dev.berth.cri.CriEndpoint.EndpointException;
import dev.berth.cri.CriEndpoint.InProcess;
import dev.berth.cri.CriEndpoint.Loopback;
import dev.berth.cri.CriEndpoint.NamedPipe;
import dev.berth.cri.CriEndpoint.UnixSocket;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerServiceDefinition;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A running gRPC server of runtime services. Each call has a virtual thread of its own.
///
/// The simulator serves with it. In-process and socket servers behave alike for a client, except
/// for the size of messages, see `MessageLimit`.
public final class CriServer implements AutoCloseable {
  private static final Duration END = Duration.ofSeconds(5);

  private final CriEndpoint endpoint;
  private final Server server;
  private final @Nullable SocketFile socket;

  private CriServer(CriEndpoint endpoint, Server server, @Nullable SocketFile socket) {
    this.endpoint = endpoint;
    this.server = server;
    this.socket = socket;
  }

  /// Starts a server, which listens when the method returns. Only the owner can use a unix socket.
  /// A stale socket file is replaced.
  public static CriServer start(
      CriTransport transport, CriEndpoint endpoint, List<ServerServiceDefinition> services) {
    try {
      return switch (endpoint) {
        case UnixSocket(var path) ->
            atSocket(transport, SocketFile.prepare(path), endpoint, services);
        case Loopback(var host, var port) -> {
          var address = new InetSocketAddress(host, port);
          var builder = sockets(transport, address, EpollServerSocketChannel.class);
          Server server = listen(transport, builder, services);
          yield new CriServer(new Loopback(host, server.getPort()), server, null);
        }
        case NamedPipe pipe -> throw pipe.notSpoken();
        case InProcess(var name) -> {
          var builder = InProcessServerBuilder.forName(name);
          yield new CriServer(endpoint, listen(transport, builder, services), null);
        }
      };
    } catch (IOException e) {
      throw new EndpointException(
          new Problem(
              "cannot listen at " + endpoint,
              String.valueOf(e.getMessage()),
              "Choose another endpoint, or stop the process that listens at this one"),
          e);
    }
  }

  /// The endpoint with the port that was chosen.
  public CriEndpoint endpoint() {
    return endpoint;
  }

  /// Accepts no more calls and waits for those in progress; after the grace period it cancels them.
  public void stop(Duration grace) {
    server.shutdown();
    if (!await(grace)) {
      stopNow();
    }
    removeSocket();
  }

  /// Cancels all calls and closes all connections, as a crash does.
  public void stopNow() {
    server.shutdownNow();
    await(END);
    removeSocket();
  }

  @Override
  public void close() {
    stopNow();
  }

  private void removeSocket() {
    if (socket != null) {
      socket.remove();
    }
  }

  private boolean await(Duration time) {
    try {
      return server.awaitTermination(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static CriServer atSocket(
      CriTransport transport,
      SocketFile socket,
      CriEndpoint endpoint,
      List<ServerServiceDefinition> services)
      throws IOException {
    var address = new DomainSocketAddress(socket.bindPath().toFile());
    var builder =
        sockets(transport, address, EpollServerDomainSocketChannel.class)
            .withChildOption(ChannelOption.SO_KEEPALIVE, CriChannels.UNSET);
    Server server = listen(transport, builder, services);
    try {
      return new CriServer(endpoint, server, socket.publish());
    } catch (IOException e) {
      // The socket is bound but nobody can find it; the server must not stay.
      server.shutdownNow();
      throw e;
    }
  }

  private static NettyServerBuilder sockets(
      CriTransport transport, SocketAddress address, Class<? extends ServerChannel> type) {
    return NettyServerBuilder.forAddress(address)
        .channelType(type)
        .bossEventLoopGroup(transport.loops())
        .workerEventLoopGroup(transport.loops())
        .maxInboundMessageSize(CriChannels.LARGEST_MESSAGE);
  }

  private static Server listen(
      CriTransport transport, ServerBuilder<?> builder, List<ServerServiceDefinition> services)
      throws IOException {
    return builder
        .executor(transport.executor())
        .intercept(new StreamOpening())
        .addServices(services)
        .build()
        .start();
  }
}

package dev.berth.cri;

import dev.berth.cri.CriEndpoint.InProcess;
import dev.berth.cri.CriEndpoint.Loopback;
import dev.berth.cri.CriEndpoint.NamedPipe;
import dev.berth.cri.CriEndpoint.UnixSocket;
import io.grpc.ManagedChannel;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import io.opentelemetry.api.OpenTelemetry;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// Opens connections to runtime services, all with the same options.
///
/// There is no keep-alive. Go's servers disconnect clients that ping more often than every five
/// minutes, the kernel reports a dead peer of a local socket at once, and the deadline of a probe
/// finds a peer that hangs.
public final class CriChannels {
  /// The kubelet's limit for a message.
  static final int LARGEST_MESSAGE = 16 * 1024 * 1024;

  /// Limit of headers, which carry error texts. Those of runtimes can exceed gRPC's own limit of 8
  /// KiB, which would hide them.
  static final int LARGEST_HEADERS = 1024 * 1024;

  /// Removes a socket option: gRPC sets a TCP option on every socket, and Netty logs a warning for
  /// each unix socket.
  static final @Nullable Boolean UNSET = null;

  private static final int CONNECT_MILLIS = 5_000;

  private final CriTransport transport;
  private final CriDeadlines deadlines;
  private final CriMetrics metrics;
  private final OpenTelemetry telemetry;

  public CriChannels(
      CriTransport transport, CriDeadlines deadlines, CriMetrics metrics, OpenTelemetry telemetry) {
    this.transport = transport;
    this.deadlines = deadlines;
    this.metrics = metrics;
    this.telemetry = telemetry;
  }

  /// Opens a connection without waiting for the service. An absent service shows in calls and in
  /// the connection's state.
  public CriConnection open(String service, CriEndpoint endpoint) {
    ManagedChannel channel =
        switch (endpoint) {
          case UnixSocket(var path) ->
              socket(new DomainSocketAddress(path.toFile()), EpollDomainSocketChannel.class)
                  .withOption(ChannelOption.SO_KEEPALIVE, UNSET)
                  .build();
          case Loopback(var host, var port) ->
              socket(new InetSocketAddress(host, port), EpollSocketChannel.class).build();
          case NamedPipe pipe -> throw pipe.notSpoken();
          case InProcess(var name) ->
              InProcessChannelBuilder.forName(name)
                  .executor(transport.executor())
                  .intercept(new MessageLimit(LARGEST_MESSAGE))
                  .build();
        };
    var observer = new CallObserver(service, endpoint, metrics.of(service), telemetry);
    return new CriConnection(service, endpoint, channel, deadlines, observer);
  }

  private NettyChannelBuilder socket(SocketAddress address, Class<? extends Channel> type) {
    return NettyChannelBuilder.forAddress(address)
        .eventLoopGroup(transport.loops())
        .channelType(type)
        .executor(transport.executor())
        .offloadExecutor(transport.executor())
        .overrideAuthority("localhost")
        .usePlaintext()
        .proxyDetector(_ -> null)
        .disableServiceConfigLookUp()
        .maxInboundMessageSize(LARGEST_MESSAGE)
        .maxInboundMetadataSize(LARGEST_HEADERS)
        .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS);
  }
}

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

/// Opens connections to runtime services, all of them alike.
///
/// There is no keep-alive: Go's servers hang up on clients that ping more often than every five
/// minutes, the kernel reports a dead peer of a local socket at once, and a peer that lives but
/// hangs is found by the deadline of a probe.
public final class CriChannels {
  /// The kubelet's limit.
  static final int LARGEST_MESSAGE = 16 * 1024 * 1024;

  /// Errors travel in headers, and those of runtimes can be long; gRPC's own limit of 8 KiB would
  /// hide them.
  static final int LARGEST_HEADERS = 1024 * 1024;

  /// Takes an option back: gRPC sets one of TCP on every socket, and Netty warns about it each
  /// time.
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

  /// Does not wait for the service and does not fail when it is absent: calls and the connection's
  /// state tell.
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

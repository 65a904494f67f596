package dev.berth.bench.cri;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// A plain gRPC channel to a unix socket, with the same kind of threads as ours. The comparison
/// then shows the cost of Berth's client and not of another transport.
public final class BareChannel implements AutoCloseable {
  // Two threads as in Berth's transport, which also bounds them; a default group has two per core.
  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ManagedChannel channel;

  public BareChannel(Path socket) {
    channel =
        NettyChannelBuilder.forAddress(new DomainSocketAddress(socket.toFile()))
            .eventLoopGroup(loops)
            .channelType(EpollDomainSocketChannel.class)
            .executor(threads)
            // A socket path is no valid authority of HTTP/2, which servers may refuse.
            .overrideAuthority("localhost")
            .usePlaintext()
            .build();
  }

  public ManagedChannel channel() {
    return channel;
  }

  @Override
  public void close() {
    channel.shutdownNow();
    // Milliseconds; a benchmark that measures start-up next must not share the cores with old
    // loops.
    loops.shutdownGracefully().awaitUninterruptibly(1000);
    threads.shutdownNow();
  }
}

package dev.berth.bench;

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
    loops.shutdownGracefully().awaitUninterruptibly(1000);
    threads.shutdownNow();
  }
}

package dev.berth.cri;

import dev.berth.api.Problem;
import dev.berth.cri.CriEndpoint.EndpointException;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The threads of all connections and servers of a process: a few event loops that move bytes, and
/// virtual threads that run calls.
///
/// No caller's code runs on an event loop, so that no runtime service can delay another one.
///
/// One instance serves a whole process, also one with a thousand simulated runtimes.
public final class CriTransport implements AutoCloseable {
  private static final int CLOSE_SECONDS = 5;

  private final int ioThreads;
  private final ExecutorService virtual =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("cri-call-", 0).factory());
  private final ReentrantLock lock = new ReentrantLock();

  /// Guarded by the lock. Created with the first socket: in-process fleets need no event loops.
  private @Nullable EventLoopGroup loops;

  public CriTransport() {
    this(2);
  }

  public CriTransport(int ioThreads) {
    this.ioThreads = ioThreads;
  }

  /// Stops the threads. Callers close connections and servers first.
  @Override
  public void close() {
    lock.lock();
    try {
      if (loops != null) {
        loops
            .shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
            .awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
      }
    } finally {
      lock.unlock();
    }
    virtual.shutdownNow();
  }

  /// The event loops, also for the servers and clients of this process that do not speak gRPC.
  ///
  /// Epoll is used instead of the JDK's selector because Netty needs it for unix sockets.
  public EventLoopGroup loops() {
    lock.lock();
    try {
      if (loops == null) {
        loops = epoll();
      }
      return loops;
    } finally {
      lock.unlock();
    }
  }

  Executor executor() {
    return virtual;
  }

  private EventLoopGroup epoll() {
    if (!Epoll.isAvailable()) {
      throw new EndpointException(
          new Problem(
              "sockets of runtime services cannot be opened",
              "epoll is not available on this machine",
              "Run on Linux (amd64 or arm64) with --enable-native-access=ALL-UNNAMED"),
          Epoll.unavailabilityCause());
    }
    return new MultiThreadIoEventLoopGroup(
        ioThreads,
        Thread.ofPlatform().daemon().name("cri-io-", 0).factory(),
        EpollIoHandler.newFactory());
  }
}

package dev.berth.cri.http;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.socket.ChannelInputShutdownEvent;
import io.grpc.netty.shaded.io.netty.channel.socket.DuplexChannel;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/// The frames of an upgraded connection for blocking code.
///
/// Netty reads from the socket only on demand, so the queue holds no more than the frames of one
/// read. The event loop fills the queue, one thread empties it, and any thread may write.
final class FrameQueue extends ChannelInboundHandlerAdapter {
  /// The client has closed the connection.
  private record End() {}

  private final Channel channel;
  private final BlockingQueue<Object> frames = new LinkedBlockingQueue<>();

  FrameQueue(Channel channel) {
    this.channel = channel;
  }

  /// The next frame; null when the client has closed the connection. One thread may read.
  @Nullable Object read() {
    try {
      Object frame = frames.poll();
      if (frame == null) {
        channel.read();
        frame = frames.take();
      }
      if (frame instanceof End) {
        // Whoever reads again gets the same answer.
        frames.add(new End());
        return null;
      }
      return frame;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /// Returns when the kernel has the bytes; false when the client has closed the connection.
  boolean write(Object frame) {
    try {
      return channel.writeAndFlush(frame).await().isSuccess();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// The client reads the end after what was written, and may still write.
  void endOutput() {
    ChannelFuture _ = ((DuplexChannel) channel).shutdownOutput();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object frame) {
    frames.add(frame);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      frames.add(new End());
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    frames.add(new End());
  }

  /// A client that breaks the protocol is treated as one that has gone.
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    frames.add(new End());
    ChannelFuture _ = context.close();
  }
}

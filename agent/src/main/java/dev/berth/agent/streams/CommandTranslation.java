package dev.berth.agent.streams;

import dev.berth.agent.streams.RuntimeStreams.RequestedStreams;
import dev.berth.cri.streaming.SpdyFrames;
import dev.berth.relay.RelaySession;
import dev.berth.relay.WebSocketPeer;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufUtil;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.DefaultSpdyDataFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.DefaultSpdySynStreamFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdyDataFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdyFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdyPingFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdyRstStreamFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdySynReplyFrame;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// Translates a remote command between version 5 of the WebSocket channel protocol, which the
/// client speaks, and SPDY/3.1, which every runtime speaks (KEP-4006, stream translator).
///
/// A channel is a SPDY stream. Version 5 adds to version 4 that the client can close a channel,
/// which commands that read their input to the end depend on.
public final class CommandTranslation implements RelaySession {
  /// The client's protocol.
  public static final String CLIENT_PROTOCOL = "v5.channel.k8s.io";

  /// The runtime's protocol: the same channels and the same final status.
  public static final String RUNTIME_PROTOCOL = "v4.channel.k8s.io";

  /// Protocol `v5.channel.k8s.io` closes the channel in the second byte by a message on channel 255
  /// (KEP-4006).
  private static final int CLOSE_CHANNEL = 255;

  /// Longest SPDY data frame that is sent; a longer message becomes several frames, so that no
  /// message fills the buffers of the connection.
  private static final int LARGEST_DATA = 32 << 10;

  private final OutputStream runtime;
  private final WebSocketPeer client;

  /// Confined to the thread that reads from the runtime.
  private final SpdyFrames incoming = new SpdyFrames();

  /// Channels that the client still reads. Confined to the thread that reads from the runtime.
  private final Set<CommandChannel> readable = EnumSet.noneOf(CommandChannel.class);

  /// Serializes frames to the runtime.
  private final ReentrantLock writing = new ReentrantLock();

  /// Guarded by the lock.
  private final SpdyFrames outgoing = new SpdyFrames();

  private CommandTranslation(
      OutputStream client, OutputStream runtime, Set<CommandChannel> channels) {
    this.runtime = runtime;
    Set<CommandChannel> writable = EnumSet.noneOf(CommandChannel.class);
    channels.forEach(channel -> (channel.isOutput() ? readable : writable).add(channel));
    this.client = new WebSocketPeer(client, new ChannelReader(writable));
  }

  /// Opens the streams that the runtime expects.
  public static RelaySession open(
      OutputStream client, OutputStream runtime, RequestedStreams wanted) throws IOException {
    Set<CommandChannel> channels = CommandChannel.of(wanted);
    CommandTranslation translation = new CommandTranslation(client, runtime, channels);
    for (CommandChannel channel : channels) {
      DefaultSpdySynStreamFrame stream =
          new DefaultSpdySynStreamFrame(channel.stream(), 0, (byte) 0);
      stream.headers().add("streamtype", channel.type());
      translation.write(stream);
    }
    return translation;
  }

  @Override
  public boolean fromClient(ByteBuffer bytes) throws IOException {
    return client.read(bytes);
  }

  /// Parses the client's messages: a channel number and its bytes, or 255 and the closed channel.
  private final class ChannelReader implements WebSocketPeer.Receiver {
    /// Channels that the client has not closed.
    private final Set<CommandChannel> writable;

    /// The first byte of the current message, -1 before it.
    private int first = -1;

    ChannelReader(Set<CommandChannel> writable) {
      this.writable = writable;
    }

    @Override
    public void accept(byte[] piece, boolean last) throws IOException {
      int from = 0;
      if (first < 0 && piece.length > 0) {
        first = Byte.toUnsignedInt(piece[0]);
        from = 1;
      }
      if (from < piece.length) {
        pass(piece, from);
      }
      if (last) {
        first = -1;
      }
    }

    private void pass(byte[] piece, int from) throws IOException {
      if (first == CLOSE_CHANNEL) {
        Optional<CommandChannel> closed = writable(Byte.toUnsignedInt(piece[from]));
        if (closed.isPresent()) {
          writable.remove(closed.get());
          send(closed.get(), new byte[0], 0, true);
        }
      } else {
        Optional<CommandChannel> channel = writable(first);
        if (channel.isPresent()) {
          send(channel.get(), piece, from, false);
        }
      }
    }

    private Optional<CommandChannel> writable(int number) {
      return writable.stream().filter(channel -> channel.number() == number).findFirst();
    }
  }

  private void send(CommandChannel channel, byte[] bytes, int from, boolean last)
      throws IOException {
    int at = from;
    do {
      int end = Math.min(bytes.length, at + LARGEST_DATA);
      DefaultSpdyDataFrame frame =
          new DefaultSpdyDataFrame(channel.stream(), Unpooled.copiedBuffer(bytes, at, end - at));
      frame.setLast(last && end == bytes.length);
      write(frame);
      at = end;
    } while (at < bytes.length);
  }

  private void write(SpdyFrame frame) throws IOException {
    writing.lock();
    try {
      runtime.write(outgoing.encode(frame));
      runtime.flush();
    } finally {
      writing.unlock();
    }
  }

  /// The session ends when the runtime has closed all channels that the client reads, or
  /// disconnects.
  @Override
  public boolean fromBackend(ByteBuffer bytes) throws IOException {
    for (SpdyFrame frame : incoming.decode(bytes)) {
      take(frame);
    }
    return !readable.isEmpty();
  }

  private void take(SpdyFrame frame) throws IOException {
    switch (frame) {
      case SpdyDataFrame data -> {
        byte[] bytes = ByteBufUtil.getBytes(data.content());
        data.release();
        Optional<CommandChannel> channel = readable(data.streamId());
        if (channel.isPresent() && bytes.length > 0) {
          client.send(new byte[] {(byte) channel.get().number()}, bytes);
        }
        end(data.streamId(), data.isLast());
      }
      case SpdySynReplyFrame reply -> end(reply.streamId(), reply.isLast());
      case SpdyRstStreamFrame reset -> end(reset.streamId(), true);
      case SpdyPingFrame ping -> answer(ping);
      // SETTINGS, WINDOW_UPDATE and GOAWAY need no action.
      default -> {}
    }
  }

  private Optional<CommandChannel> readable(int stream) {
    return readable.stream().filter(channel -> channel.stream() == stream).findFirst();
  }

  private void end(int stream, boolean last) {
    if (last) {
      readable.removeIf(channel -> channel.stream() == stream);
    }
  }

  /// Answers on another thread: the runtime may not read before its output is read.
  private void answer(SpdyPingFrame ping) {
    Thread.ofVirtual()
        .name("spdy-pong")
        .start(
            () -> {
              try {
                write(ping);
              } catch (IOException _) {
                // The reading thread notices that the runtime is gone.
              }
            });
  }

  @Override
  public void stillWaiting() {
    client.pong();
  }

  @Override
  public void end() throws IOException {
    incoming.close();
    client.end();
  }
}

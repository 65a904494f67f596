package dev.berth.vm.guest;

import dev.berth.api.Problem;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.guest.model.GuestException.FailureKind;
import dev.berth.vm.guest.model.GuestExit;
import dev.berth.vm.guest.model.GuestStream;
import dev.berth.vm.guest.wire.BodyReader;
import dev.berth.vm.guest.wire.ProtocolViolation;
import dev.berth.vm.guest.wire.WireFrame;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// The open channels of a connection, and their frames.
final class ChannelTable {
  /// Each can hold 64 KiB of what the guest sent.
  static final int MAXIMUM = 32;

  private final Map<Integer, GuestChannel> channels = new ConcurrentHashMap<>();
  private final Semaphore free = new Semaphore(MAXIMUM);

  private volatile @Nullable ConnectionEnd end;

  /// Takes room for a channel, which `remove` or `cancel` gives back.
  void reserve(String failure) {
    if (!free.tryAcquire()) {
      throw new GuestException(
          FailureKind.FAILED,
          new Problem(
              failure,
              "%d programs and connections of this pod are open, which is the most"
                  .formatted(MAXIMUM),
              "Close some of them"));
    }
  }

  /// Gives room back that no channel has taken.
  void cancel() {
    free.release();
  }

  /// Called by the thread that reads, when the guest has opened the channel.
  void add(int id, GuestChannel channel) {
    channels.put(id, channel);
    ConnectionEnd reason = end;
    if (reason != null) {
      channel.disconnected(reason);
    }
  }

  void remove(int id) {
    if (channels.remove(id) != null) {
      free.release();
    }
  }

  /// Takes a frame of a channel. Those of channels that are over are ignored.
  void frame(WireFrame frame) {
    BodyReader body = new BodyReader(frame.payload());
    GuestChannel channel = channels.get(frame.id());
    if (channel == null) {
      return;
    }
    switch (frame.type()) {
      case DATA -> channel.data(stream(body.oneOf(body.u8(), 1)), body.rest());
      case CREDIT -> {
        long bytes = body.u32();
        body.end();
        channel.output().credit(bytes);
      }
      case END -> {
        body.end();
        channel.ended();
      }
      case RESET -> {
        body.end();
        channel.reset();
        leave(frame.id(), channel);
      }
      case EXIT -> {
        GuestExit exit = body.exit();
        body.end();
        channel.exited(exit);
      }
      case HELLO, WELCOME, REQUEST, ANSWER, OUTPUT, ACK, EXITED ->
          throw new ProtocolViolation("%s on a channel".formatted(frame.type()));
    }
  }

  /// Removes a channel that keeps nothing in memory.
  private void leave(int id, GuestChannel channel) {
    if (channel instanceof InputChannel) {
      remove(id);
    }
  }

  static GuestStream stream(int code) {
    return code == 0 ? GuestStream.STDOUT : GuestStream.STDERR;
  }

  static int code(GuestStream stream) {
    return stream == GuestStream.STDOUT ? 0 : 1;
  }

  void end(ConnectionEnd reason) {
    end = reason;
    channels.values().forEach(channel -> channel.disconnected(reason));
  }
}

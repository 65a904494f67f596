package dev.berth.vm.pods.output;

import dev.berth.cri.streaming.CommandOutput;
import dev.berth.vm.guest.model.GuestStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/// A client that sees the output of a container from now on. It has a thread of its own, and one
/// that does not keep up is cut off: it must not hold up the container.
public final class AttachedClient {
  /// In parts as the guest sends them, which are small.
  private static final int MOST_WAITING = 1024;

  @SuppressWarnings("ArrayRecordComponent")
  private record OutputPart(int stream, byte[] bytes) {}

  /// Comes after the last part; no stream has its number.
  private static final OutputPart END = new OutputPart(0, new byte[0]);

  private final BlockingQueue<OutputPart> parts = new ArrayBlockingQueue<>(MOST_WAITING);

  /// Writes the output to a client on the caller's thread, until the container or the client ends.
  public void serve(CommandOutput client) {
    try {
      for (OutputPart part = parts.take(); part.stream() != 0; part = parts.take()) {
        client.write(part.stream(), part.bytes());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Ends [#serve], once it has written what it has.
  public void end() {
    while (!parts.offer(END)) {
      parts.clear();
    }
  }

  void add(GuestStream stream, byte[] bytes) {
    if (!parts.offer(new OutputPart(stream == GuestStream.STDERR ? 2 : 1, bytes))) {
      end();
    }
  }
}

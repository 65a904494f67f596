package dev.berth.vm.guest;

import dev.berth.vm.guest.model.GuestStream;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/// Bytes of one or two streams that were received and not yet taken.
///
/// Frames are merged, so that a guest cannot fill memory with many small ones. The order of the two
/// streams is kept while their reader keeps up. Not safe for several threads.
final class StreamBuffer {
  private final Map<GuestStream, PartialStream> streams = new EnumMap<>(GuestStream.class);
  private long sequence;

  /// Bytes of a stream that follow each other.
  @SuppressWarnings("ArrayRecordComponent")
  record StreamChunk(GuestStream stream, byte[] bytes) {}

  void add(GuestStream stream, byte[] bytes) {
    PartialStream partial = streams.computeIfAbsent(stream, _ -> new PartialStream());
    if (partial.length == 0) {
      partial.sequence = sequence++;
    }
    partial.add(bytes);
  }

  boolean isEmpty() {
    return streams.values().stream().allMatch(partial -> partial.length == 0);
  }

  /// Everything of the stream whose first byte came first.
  Optional<StreamChunk> take() {
    return streams.entrySet().stream()
        .filter(entry -> entry.getValue().length > 0)
        .min((a, b) -> Long.compare(a.getValue().sequence, b.getValue().sequence))
        .map(entry -> new StreamChunk(entry.getKey(), entry.getValue().take()));
  }

  /// Takes bytes of the first stream into an array.
  int take(byte[] target, int from, int length) {
    PartialStream partial = streams.get(GuestStream.STDOUT);
    return partial == null ? 0 : partial.take(target, from, length);
  }

  /// Drops everything and says how much that was.
  int clear() {
    int dropped = streams.values().stream().mapToInt(partial -> partial.length).sum();
    streams.clear();
    return dropped;
  }

  private static final class PartialStream {
    private byte[] bytes = new byte[0];
    private int start;
    private int length;
    private long sequence;

    private void add(byte[] more) {
      if (start + length + more.length > bytes.length) {
        byte[] larger = new byte[length + Math.max(length, more.length)];
        System.arraycopy(bytes, start, larger, 0, length);
        bytes = larger;
        start = 0;
      }
      System.arraycopy(more, 0, bytes, start + length, more.length);
      length += more.length;
    }

    private byte[] take() {
      byte[] taken = Arrays.copyOfRange(bytes, start, start + length);
      release();
      return taken;
    }

    private int take(byte[] target, int from, int most) {
      int count = Math.min(most, length);
      System.arraycopy(bytes, start, target, from, count);
      start += count;
      length -= count;
      if (length == 0) {
        release();
      }
      return count;
    }

    private void release() {
      bytes = new byte[0];
      start = 0;
      length = 0;
    }
  }
}

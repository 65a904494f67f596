package dev.berth.chaos.fuzz;

import io.grpc.Status;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;

/// Turns correct answers into wrong ones: wrong values, broken bytes, another call's answer,
/// nothing, megabytes, and failures with long messages. Any thread may call it; the order of
/// concurrent calls is not repeated by a seed.
final class AnswerMutation {
  /// The changed answer.
  sealed interface Reply {}

  /// An encoded message. Nobody may change its bytes.
  public static final class Answer implements Reply {
    private final byte[] bytes;

    Answer(byte[] bytes) {
      this.bytes = bytes;
    }

    byte[] bytes() {
      return bytes;
    }
  }

  record Failure(Status status) implements Reply {}

  /// The share of answers that are changed. The others stay right, so that calls after the first
  /// one are reached too.
  private static final double CHANGED = 0.4;

  private static final int LONG_TEXT = 200_000;

  /// Bytes of the unknown field, below the maximum message size of clients: the answer must be
  /// read.
  private static final int MUCH = 3 << 20;

  /// Guards the fields below.
  private final ReentrantLock lock = new ReentrantLock();

  private final Random random;
  private final MessageMutation messages;
  private byte[] earlier = {};
  private long changed;

  AnswerMutation(long seed) {
    random = new Random(seed);
    messages = new MessageMutation(random);
  }

  long changed() {
    lock.lock();
    try {
      return changed;
    } finally {
      lock.unlock();
    }
  }

  Reply change(byte[] answer) {
    lock.lock();
    try {
      if (random.nextDouble() > CHANGED) {
        earlier = answer;
        return new Answer(answer);
      }
      changed++;
      return switch (random.nextInt(12)) {
        case 0 -> new Answer(flipped(answer));
        case 1 -> new Answer(Arrays.copyOf(answer, random.nextInt(answer.length + 1)));
        case 2 -> new Answer(new byte[0]);
        // The last right answer of any call, often of another type.
        case 3 -> new Answer(earlier);
        case 4 -> new Answer(with(answer, noise(1 + random.nextInt(64))));
        case 5 -> new Answer(with(answer, unknownField()));
        case 6 -> new Failure(failure());
        default -> new Answer(messages.change(answer));
      };
    } finally {
      lock.unlock();
    }
  }

  private byte[] flipped(byte[] answer) {
    byte[] bytes = answer.clone();
    for (int i = 0; i < 1 + bytes.length / 40 && bytes.length > 0; i++) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return bytes;
  }

  private byte[] noise(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /// Field 1000 of type bytes, with its length as a varint.
  private static byte[] unknownField() {
    byte[] bytes = new byte[6 + MUCH];
    bytes[0] = (byte) 0xc2;
    bytes[1] = 0x3e;
    for (int i = 0; i < 4; i++) {
      int seven = (MUCH >> (7 * i)) & 0x7f;
      bytes[2 + i] = (byte) (i < 3 ? seven | 0x80 : seven);
    }
    return bytes;
  }

  private static byte[] with(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private Status failure() {
    Status.Code[] codes = Status.Code.values();
    Status status = Status.fromCode(codes[1 + random.nextInt(codes.length - 1)]);
    return status.withDescription(
        random.nextBoolean() ? "hostile\n\t\u0000 text" : "x".repeat(random.nextInt(LONG_TEXT)));
  }
}

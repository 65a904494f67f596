package dev.berth.cri.serving;

import java.util.HexFormat;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/// Makes ids and random numbers from one source, from any thread. With a fixed source a run of
/// tests repeats its ids and its faults, as long as its calls come in the same order.
public final class RandomIds {
  private static final int ID_BYTES = 32;
  private static final int TOKEN_BYTES = 16;

  private final RandomGenerator random;

  /// Guards the generator: not every `RandomGenerator` is safe for several threads.
  private final ReentrantLock lock = new ReentrantLock();

  public RandomIds(RandomGenerator random) {
    this.random = random;
  }

  /// An id in containerd's form: 64 hexadecimal digits.
  public String id() {
    return hex(ID_BYTES);
  }

  /// A token for the path of a streaming URL, which must not be guessable.
  public String token() {
    return hex(TOKEN_BYTES);
  }

  /// A number from 0 (inclusive) to 1 (exclusive).
  public double chance() {
    lock.lock();
    try {
      return random.nextDouble();
    } finally {
      lock.unlock();
    }
  }

  private String hex(int count) {
    byte[] bytes = new byte[count];
    lock.lock();
    try {
      random.nextBytes(bytes);
    } finally {
      lock.unlock();
    }
    return HexFormat.of().formatHex(bytes);
  }
}

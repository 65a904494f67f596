package dev.berth.sim.model;

import java.util.HexFormat;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/// Makes ids and chances out of one source of randomness, from any thread.
public final class RandomIds {
  private static final int ID_BYTES = 32;
  private static final int TOKEN_BYTES = 16;

  private final RandomGenerator random;

  /// Not every generator may be used from several threads.
  private final ReentrantLock lock = new ReentrantLock();

  public RandomIds(RandomGenerator random) {
    this.random = random;
  }

  /// An id as containerd makes them: 64 hexadecimal digits.
  public String id() {
    return hex(ID_BYTES);
  }

  /// Something that nobody guesses.
  public String token() {
    return hex(TOKEN_BYTES);
  }

  /// A number from 0 to 1.
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

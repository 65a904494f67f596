package dev.berth.server.openapi;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A value that the first reader computes once.
///
/// A failure is not kept; the next reader computes again. Readers after the first take no lock.
final class LazyValue<T> {
  /// Held while the value is computed, so that it is computed once.
  private final ReentrantLock lock = new ReentrantLock();

  private final Supplier<T> source;
  private volatile @Nullable T value;

  LazyValue(Supplier<T> source) {
    this.source = source;
  }

  T get() {
    T made = value;
    if (made != null) {
      return made;
    }
    lock.lock();
    try {
      T again = value;
      if (again == null) {
        again = source.get();
        value = again;
      }
      return again;
    } finally {
      lock.unlock();
    }
  }
}

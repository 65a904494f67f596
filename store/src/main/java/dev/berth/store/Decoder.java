package dev.berth.store;

import java.util.function.LongFunction;

/// Turns stored bytes into what the memory holds.
///
/// Called once per write or loaded row, on the caller's thread (rows are loaded on several threads
/// at once); the function it returns is applied once the revision is known. Throwing refuses a
/// write, and fails the opening of a store.
@FunctionalInterface
public interface Decoder<V> {
  LongFunction<V> decode(String key, byte[] value);

  /// For a write of this process, whose value was encoded a moment ago.
  default LongFunction<V> decode(String key, Encoded value) {
    return decode(key, value.bytes());
  }
}

package dev.berth.store;

import java.util.function.LongFunction;

/// Turns stored bytes into what the memory holds, and what is written into stored bytes.
///
/// Called once per write or loaded row, on the caller's thread (rows are loaded on several threads
/// at once); the function it returns is applied once the revision is known. Throwing refuses a
/// write, and fails the opening of a store.
@FunctionalInterface
public interface StoredDecoder<V> {
  LongFunction<V> decode(String key, byte[] value);

  /// The bytes that are stored for a value, from which [#decode(String, byte[])] makes it again:
  /// the same ones, unless values are encrypted.
  default byte[] stored(String key, EncodedObject value) {
    return value.bytes();
  }

  /// For a write of this process, whose value was encoded a moment ago.
  default LongFunction<V> decode(String key, EncodedObject value) {
    return decode(key, value.bytes());
  }
}

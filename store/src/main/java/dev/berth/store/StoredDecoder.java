package dev.berth.store;

import java.util.function.LongFunction;

/// Translates between stored bytes and the objects that the memory holds.
///
/// Called once per write or loaded row, on the caller's thread (rows are loaded on several threads
/// at once); the function it returns is applied once the revision is known. Throwing refuses a
/// write, and fails the opening of a store.
@FunctionalInterface
public interface StoredDecoder<V> {
  LongFunction<V> decode(String key, byte[] value);

  /// The bytes to store for a value; [#decode(String, byte[])] reverses it. They are the given
  /// bytes unless values are encrypted.
  default byte[] stored(String key, EncodedObject value) {
    return value.bytes();
  }

  /// Decodes a write of this process. The caller has just encoded the value, so an implementation
  /// can take the object from it and need not parse the bytes.
  default LongFunction<V> decode(String key, EncodedObject value) {
    return decode(key, value.bytes());
  }
}

package dev.berth.store;

/// Bytes to store. The caller that encoded them may attach what it knows about them, so that the
/// [StoredDecoder] need not parse them again.
@FunctionalInterface
public interface EncodedObject {
  /// Returns the same array on every call; callers must not change it.
  byte[] bytes();
}

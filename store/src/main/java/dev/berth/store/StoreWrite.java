package dev.berth.store;

/// One requested change of one key, with its condition. The store keeps the bytes only until they
/// are written.
public sealed interface StoreWrite {
  String key();

  /// Refused when the key exists.
  record Create(String key, EncodedObject value) implements StoreWrite {
    public Create(String key, byte[] value) {
      this(key, () -> value);
    }
  }

  /// Refused unless the key's newest revision is the expected one.
  record Replace(String key, EncodedObject value, long expectedRevision) implements StoreWrite {
    public Replace(String key, byte[] value, long expectedRevision) {
      this(key, () -> value, expectedRevision);
    }
  }

  /// Refused unless the key's newest revision is the expected one.
  record Delete(String key, long expectedRevision) implements StoreWrite {}
}

package dev.berth.store;

/// What a caller wants to become of one key, and on which condition; the store keeps the bytes only
/// until they are written.
@SuppressWarnings("ArrayRecordComponent") // never compared, and copying would double the work
public sealed interface Write {
  String key();

  /// Refused when the key exists.
  record Create(String key, byte[] value) implements Write {}

  /// Refused unless the key's newest revision is the expected one.
  record Replace(String key, byte[] value, long expectedRevision) implements Write {}

  /// Refused unless the key's newest revision is the expected one.
  record Delete(String key, long expectedRevision) implements Write {}
}

package dev.berth.server.encryption;

import java.util.List;

/// One entry of `providers`: how a value is stored.
sealed interface ValueProvider {
  /// Stores values as plain text.
  record Identity() implements ValueProvider {}

  /// AES in Galois/counter mode; the first key encrypts, all of them decrypt.
  record AesGcm(List<AesGcmKey> keys) implements ValueProvider {
    public AesGcm {
      keys = List.copyOf(keys);
    }
  }
}

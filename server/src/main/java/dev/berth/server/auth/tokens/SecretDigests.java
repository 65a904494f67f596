package dev.berth.server.auth.tokens;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// Compares secrets in constant time.
///
/// A comparison that ends at the first difference would show an attacker by its duration how much
/// of a guess is right.
final class SecretDigests {
  private SecretDigests() {}

  static byte[] sha256(String secret) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK has no SHA-256", e);
    }
  }

  /// Compares digests, so that the time does not depend on the lengths either.
  static boolean same(String one, String other) {
    return MessageDigest.isEqual(sha256(one), sha256(other));
  }
}

package dev.berth.server.encryption;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// A named AES-GCM key. A sealed value is `k8s:enc:aesgcm:v1:NAME:`, nonce, ciphertext and tag. The
/// object's key is authenticated data, so a value cannot be moved to another object.
///
/// A nonce must never repeat with one key. With random nonces NIST SP 800-38D allows 2^32 values
/// for one key; upstream advises to rotate a key after 200,000 writes.
final class AesGcmKey {
  static final String SCHEME = "k8s:enc:aesgcm:v1:";
  private static final String ALGORITHM = "AES/GCM/NoPadding";

  /// Sizes that NIST SP 800-38D recommends; upstream's provider uses them, too.
  private static final int NONCE_BYTES = 12;

  /// GCM's full tag: a shorter one lets an attacker with access to the disk forge values sooner.
  private static final int TAG_BYTES = 16;

  private final String name;
  private final byte[] prefix;
  private final SecretKey key;
  private final SecureRandom random = new SecureRandom();

  AesGcmKey(String name, byte[] secret) {
    this.name = name;
    this.prefix = (SCHEME + name + ":").getBytes(StandardCharsets.UTF_8);
    this.key = new SecretKeySpec(secret, "AES");
  }

  String name() {
    return name;
  }

  boolean sealed(byte[] stored) {
    return stored.length >= prefix.length
        && Arrays.equals(stored, 0, prefix.length, prefix, 0, prefix.length);
  }

  byte[] seal(String objectKey, byte[] plain) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, objectKey, nonce, 0);
      byte[] stored = new byte[prefix.length + NONCE_BYTES + plain.length + TAG_BYTES];
      System.arraycopy(prefix, 0, stored, 0, prefix.length);
      System.arraycopy(nonce, 0, stored, prefix.length, NONCE_BYTES);
      cipher.doFinal(plain, 0, plain.length, stored, prefix.length + NONCE_BYTES);
      return stored;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM does not work in this Java runtime", e);
    }
  }

  /// @param stored a value that this key sealed
  byte[] open(String objectKey, byte[] stored) throws UnreadableValueException {
    int start = prefix.length + NONCE_BYTES;
    if (stored.length < start + TAG_BYTES) {
      throw new UnreadableValueException("its encrypted value is truncated", "Restore a backup");
    }
    try {
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, objectKey, stored, prefix.length);
      return cipher.doFinal(stored, start, stored.length - start);
    } catch (AEADBadTagException e) {
      throw new UnreadableValueException(
          "its value does not match key \"%s\" of aesgcm: the key's secret has changed, or the value was modified or belongs to another object"
              .formatted(name),
          "Restore the former secret of key \"%s\", or restore a backup".formatted(name));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM does not work in this Java runtime", e);
    }
  }

  private Cipher cipher(int mode, String objectKey, byte[] nonce, int at)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(ALGORITHM);
    cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * 8, nonce, at, NONCE_BYTES));
    cipher.updateAAD(objectKey.getBytes(StandardCharsets.UTF_8));
    return cipher;
  }
}

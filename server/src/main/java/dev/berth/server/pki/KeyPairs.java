package dev.berth.server.pki;

import dev.berth.api.certificates.KeyMaterial;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;

/// Keys of the cluster's certificates beside what [KeyMaterial] has for everybody.
final class KeyPairs {
  private static final int RSA_BITS = 2048;

  private KeyPairs() {}

  static KeyPair newRsa() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(RSA_BITS);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK makes no RSA keys", e);
    }
  }

  static String signatureAlgorithm(Key key) {
    return "SHA256with" + (key.getAlgorithm().equals("EC") ? "ECDSA" : key.getAlgorithm());
  }

  /// A key with a flipped bit may still be well-formed, so the pair is checked by signing.
  ///
  /// @throws IllegalArgumentException when the keys do not match
  static void check(PrivateKey privateKey, PublicKey publicKey) throws GeneralSecurityException {
    if (!KeyMaterial.isPair(privateKey, publicKey)) {
      throw new IllegalArgumentException("the private key does not belong to the public one");
    }
  }
}

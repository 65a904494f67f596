package dev.berth.server.pki;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;

/// Generates key pairs and checks whether two keys match.
final class KeyPairs {
  private static final byte[] PROBE = "probe".getBytes(StandardCharsets.US_ASCII);

  private static final int RSA_BITS = 2048;

  private KeyPairs() {}

  static KeyPair newP256() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK makes no P-256 keys", e);
    }
  }

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
    Signature signature = Signature.getInstance(signatureAlgorithm(privateKey));
    signature.initSign(privateKey);
    signature.update(PROBE);
    byte[] signed = signature.sign();
    signature.initVerify(publicKey);
    signature.update(PROBE);
    if (!signature.verify(signed)) {
      throw new IllegalArgumentException("the private key does not belong to the public one");
    }
  }
}

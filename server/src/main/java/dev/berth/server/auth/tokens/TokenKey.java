package dev.berth.server.auth.tokens;

import dev.berth.server.pki.ServiceAccountKeys;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;

/// A token signing key with its single algorithm, so that a token cannot choose another one.
///
/// ECDSA signatures of tokens are the two numbers side by side (RFC 7518 section 3.4), not the DER
/// form of certificates.
record TokenKey(String id, String algorithm, String signature, PublicKey key) {
  static TokenKey of(PublicKey key) {
    String id = ServiceAccountKeys.keyId(key);
    return key instanceof RSAPublicKey
        ? new TokenKey(id, "RS256", "SHA256withRSA", key)
        : new TokenKey(id, "ES256", "SHA256withECDSAinP1363Format", key);
  }

  byte[] sign(PrivateKey with, byte[] content) throws GeneralSecurityException {
    Signature signing = Signature.getInstance(signature);
    signing.initSign(with);
    signing.update(content);
    return signing.sign();
  }

  boolean verify(byte[] content, byte[] signed) throws GeneralSecurityException {
    Signature checking = Signature.getInstance(signature);
    checking.initVerify(key);
    checking.update(content);
    return checking.verify(signed);
  }
}

package dev.berth.server.pki;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.List;

/// The P-256 key pair that service account tokens are signed with.
public record ServiceAccountKeys(PrivateKey privateKey, ECPublicKey publicKey) {
  /// Names the key in token headers and in the published key set.
  public String keyId() {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(publicKey.getEncoded());
      return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String toString() {
    return "ServiceAccountKeys[" + keyId() + "]";
  }

  public static ServiceAccountKeys generate() {
    KeyPair pair = KeyPairs.newP256();
    return new ServiceAccountKeys(pair.getPrivate(), (ECPublicKey) pair.getPublic());
  }

  static ServiceAccountKeys read(Path file) {
    try {
      List<Pem.Block> blocks = Pem.decode(PrivateFiles.read(file));
      if (blocks.size() != 2
          || !blocks.get(0).type().equals(Pem.PUBLIC_KEY)
          || !blocks.get(1).type().equals(Pem.PRIVATE_KEY)) {
        throw new IllegalArgumentException("expected one public and one private key");
      }
      KeyFactory factory = KeyFactory.getInstance("EC");
      ServiceAccountKeys keys =
          new ServiceAccountKeys(
              factory.generatePrivate(new PKCS8EncodedKeySpec(blocks.get(1).der())),
              (ECPublicKey) factory.generatePublic(new X509EncodedKeySpec(blocks.get(0).der())));
      KeyPairs.check(keys.privateKey, keys.publicKey);
      return keys;
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw Credential.damaged(file, e);
    }
  }

  void store(Path file) {
    PrivateFiles.write(
        file,
        Pem.encode(Pem.PUBLIC_KEY, publicKey.getEncoded())
            + Pem.encode(Pem.PRIVATE_KEY, privateKey.getEncoded()));
  }
}

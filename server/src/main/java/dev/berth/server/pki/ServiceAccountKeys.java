package dev.berth.server.pki;

import dev.berth.api.certificates.KeyMaterial;
import dev.berth.api.certificates.PemBlocks;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.List;

/// The keys of service account tokens: a signing pair, and additional keys for verification. All
/// are P-256 or RSA.
///
/// A key is rotated by adding the new public key to all servers first, then signing with the new
/// key, then removing the old one after the last token has expired.
public record ServiceAccountKeys(
    PrivateKey privateKey, PublicKey publicKey, List<PublicKey> others) {
  public ServiceAccountKeys {
    others = List.copyOf(others);
  }

  private ServiceAccountKeys(KeyPair pair) {
    this(pair.getPrivate(), pair.getPublic(), List.of());
  }

  /// The id of the signing key in token headers and in the published key set.
  public String keyId() {
    return keyId(publicKey);
  }

  public static String keyId(PublicKey key) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
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
    return new ServiceAccountKeys(KeyMaterial.newKeys());
  }

  /// Reads an external key pair.
  static ServiceAccountKeys foreign(Path file) {
    return new ServiceAccountKeys(KeyFiles.keyPair(file));
  }

  ServiceAccountKeys withOthers(List<Path> files) {
    return new ServiceAccountKeys(
        privateKey,
        publicKey,
        files.stream()
            .flatMap(file -> KeyFiles.publicKeys(file).stream())
            .filter(key -> !key.equals(publicKey))
            .distinct()
            .toList());
  }

  static ServiceAccountKeys read(Path file) {
    try {
      List<PemBlocks.Block> blocks = PemBlocks.decode(PkiFiles.read(file));
      if (blocks.size() != 2
          || !blocks.get(0).type().equals(PemBlocks.PUBLIC_KEY)
          || !blocks.get(1).type().equals(PemBlocks.PRIVATE_KEY)) {
        throw new IllegalArgumentException("expected one public and one private key");
      }
      KeyFactory factory = KeyFactory.getInstance("EC");
      KeyPair pair =
          new KeyPair(
              factory.generatePublic(new X509EncodedKeySpec(blocks.get(0).der())),
              factory.generatePrivate(new PKCS8EncodedKeySpec(blocks.get(1).der())));
      KeyPairs.check(pair.getPrivate(), pair.getPublic());
      return new ServiceAccountKeys(pair);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw KeyAndCertificate.damaged(file, e);
    }
  }

  void store(Path file) {
    PkiFiles.write(
        file,
        PemBlocks.encode(PemBlocks.PUBLIC_KEY, publicKey.getEncoded())
            + PemBlocks.encode(PemBlocks.PRIVATE_KEY, privateKey.getEncoded()));
  }
}

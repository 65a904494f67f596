package dev.berth.server.pki;

import dev.berth.api.Problem;
import dev.berth.api.certificates.DerWriter;
import dev.berth.api.certificates.KeyMaterial;
import dev.berth.api.certificates.PemBlocks;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Reads keys and certificates of other programs: PEM in the forms of OpenSSL and kubeadm.
///
/// Files of other programs may have parameters, chains and keys in one file, in any order; what a
/// caller does not need is ignored. Errors name the file and the reason, never its content.
final class KeyFiles {
  private static final String EC_KEY = "1.2.840.10045.2.1";
  private static final String P256 = "1.2.840.10045.3.1.7";

  /// Shorter keys are insecure.
  private static final int MIN_RSA_BITS = 2048;

  private static final int P256_BITS = 256;

  /// The DER header of the public key in an EC private key: `[1]`, a bit string, uncompressed
  /// point.
  private static final byte[] POINT_HEAD = {(byte) 0xa1, 0x44, 0x03, 0x42, 0x00};

  /// An uncompressed point of P-256: one byte of type and two coordinates of 32 bytes.
  private static final int POINT_BYTES = 65;

  private KeyFiles() {}

  static PrivateKey privateKey(Path file) {
    return read(file, blocks -> privateKey(KeyMaterial.pkcs8(privateBlock(blocks))));
  }

  /// Reads a private key with its public key, which is derived or in the file, too.
  static KeyPair keyPair(Path file) {
    return read(
        file,
        blocks -> {
          byte[] der = KeyMaterial.pkcs8(privateBlock(blocks));
          for (PemBlocks.Block block : blocks) {
            if (block.type().equals(PemBlocks.PUBLIC_KEY)) {
              return checked(new KeyPair(publicKey(block.der()), privateKey(der)));
            }
          }
          return checked(keyPair(der));
        });
  }

  private static KeyPair checked(KeyPair pair) throws GeneralSecurityException {
    KeyPairs.check(pair.getPrivate(), pair.getPublic());
    checkStrength(pair.getPublic());
    return pair;
  }

  private static PemBlocks.Block privateBlock(List<PemBlocks.Block> blocks) {
    return blocks.stream()
        .filter(block -> block.type().endsWith("PRIVATE KEY"))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("the file contains no private key"));
  }

  /// Reads all public keys of a file, including those of certificates and private keys.
  static List<PublicKey> publicKeys(Path file) {
    return read(
        file,
        blocks -> {
          List<PublicKey> keys = new ArrayList<>();
          for (PemBlocks.Block block : blocks) {
            switch (block.type()) {
              case PemBlocks.PUBLIC_KEY -> keys.add(publicKey(block.der()));
              case PemBlocks.CERTIFICATE ->
                  keys.add(KeyMaterial.certificate(block.der()).getPublicKey());
              case PemBlocks.RSA_PRIVATE_KEY, PemBlocks.EC_PRIVATE_KEY ->
                  keys.add(keyPair(KeyMaterial.pkcs8(block)).getPublic());
              case PemBlocks.PRIVATE_KEY -> {
                // The public key next to the private key is redundant.
                if (keys.isEmpty()) {
                  keys.add(keyPair(block.der()).getPublic());
                }
              }
              default -> {
                // Other PEM blocks, such as curve parameters, are ignored.
              }
            }
          }
          keys.forEach(KeyFiles::checkStrength);
          return keys;
        });
  }

  private static void checkStrength(PublicKey key) {
    boolean strong =
        switch (key) {
          case RSAPublicKey rsa -> rsa.getModulus().bitLength() >= MIN_RSA_BITS;
          case ECPublicKey ec -> ec.getParams().getOrder().bitLength() == P256_BITS;
          default -> false;
        };
    if (!strong) {
      throw new IllegalArgumentException(
          "the file contains a %s key of a size that is not supported"
              .formatted(key.getAlgorithm()));
    }
  }

  static List<X509Certificate> certificates(Path file) {
    return read(
        file,
        blocks -> {
          List<X509Certificate> certificates = new ArrayList<>();
          for (PemBlocks.Block block : blocks) {
            if (block.type().equals(PemBlocks.CERTIFICATE)) {
              certificates.add(KeyMaterial.certificate(block.der()));
            }
          }
          return certificates;
        });
  }

  private interface Reader<T> {
    T read(List<PemBlocks.Block> blocks) throws GeneralSecurityException;
  }

  private static <T> T read(Path file, Reader<T> reader) {
    try {
      T found = reader.read(PemBlocks.decode(PkiFiles.read(file)));
      if (found instanceof List<?> list && list.isEmpty()) {
        throw new IllegalArgumentException("the file contains no object of the required type");
      }
      return found;
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw unusable(file, String.valueOf(e.getMessage()), e);
    }
  }

  static PkiException unusable(Path file, String why, Exception cause) {
    return new PkiException(
        new Problem(
            "file %s cannot be used".formatted(file),
            why,
            "Name an unencrypted PEM file with the certificates or keys that the flag requires; keys must be RSA keys of at least %d bits or EC keys on curve P-256"
                .formatted(MIN_RSA_BITS)),
        cause);
  }

  private static KeyPair keyPair(byte[] der) throws GeneralSecurityException {
    PrivateKey key = privateKey(der);
    PublicKey publicKey =
        key instanceof RSAPrivateCrtKey rsa
            ? KeyFactory.getInstance("RSA")
                .generatePublic(new RSAPublicKeySpec(rsa.getModulus(), rsa.getPublicExponent()))
            : publicPoint(der);
    return new KeyPair(publicKey, key);
  }

  private static PrivateKey privateKey(byte[] der) throws GeneralSecurityException {
    PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(der);
    try {
      return KeyFactory.getInstance("RSA").generatePrivate(spec);
    } catch (GeneralSecurityException _) {
      return KeyFactory.getInstance("EC").generatePrivate(spec);
    }
  }

  private static PublicKey publicKey(byte[] der) throws GeneralSecurityException {
    X509EncodedKeySpec spec = new X509EncodedKeySpec(der);
    try {
      return KeyFactory.getInstance("RSA").generatePublic(spec);
    } catch (GeneralSecurityException _) {
      return KeyFactory.getInstance("EC").generatePublic(spec);
    }
  }

  private static PublicKey publicPoint(byte[] der) throws GeneralSecurityException {
    int start = der.length - POINT_BYTES;
    int head = start - POINT_HEAD.length;
    if (head < 0 || !Arrays.equals(POINT_HEAD, Arrays.copyOfRange(der, head, start))) {
      throw new IllegalArgumentException(
          "the EC key must be on curve P-256 and include its public key, as OpenSSL writes it");
    }
    byte[] point = Arrays.copyOfRange(der, start, der.length);
    return publicKey(
        DerWriter.sequence(
            DerWriter.sequence(DerWriter.oid(EC_KEY), DerWriter.oid(P256)),
            DerWriter.bits(point, 0)));
  }
}

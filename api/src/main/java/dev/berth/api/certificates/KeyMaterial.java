package dev.berth.api.certificates;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;

/// Certificates and private keys in PEM, of every form that kubeconfigs and certificate files hold.
public final class KeyMaterial {
  private static final String RSA = "1.2.840.113549.1.1.1";
  private static final String EC = "1.2.840.10045.2.1";
  private static final byte[] NULL = {0x05, 0x00};
  private static final int EC_PARAMETERS = 0xa0;

  private KeyMaterial() {}

  /// All certificates of a text in PEM. Other blocks are skipped: kubelets keep a certificate and
  /// its key in one file.
  public static List<X509Certificate> certificates(byte[] pem) throws CertificateException {
    List<X509Certificate> certificates = new ArrayList<>();
    try {
      for (PemBlocks.Block block : PemBlocks.decode(new String(pem, StandardCharsets.US_ASCII))) {
        if (block.type().equals(PemBlocks.CERTIFICATE)) {
          certificates.add(certificate(block.der()));
        }
      }
    } catch (IllegalArgumentException e) {
      throw new CertificateException(String.valueOf(e.getMessage()), e);
    }
    return certificates;
  }

  /// The first certificate of a text in PEM.
  public static X509Certificate certificate(String pem) throws CertificateException {
    return certificate(pem.getBytes(StandardCharsets.US_ASCII));
  }

  /// A certificate in DER, or the first one in PEM.
  public static X509Certificate certificate(byte[] encoded) throws CertificateException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(encoded));
  }

  /// New keys on the curve P-256.
  public static KeyPair newKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK makes no P-256 keys", e);
    }
  }

  /// Whether what one key signs is verified by the other.
  public static boolean isPair(PrivateKey privateKey, PublicKey publicKey)
      throws GeneralSecurityException {
    if (!privateKey.getAlgorithm().equals(publicKey.getAlgorithm())) {
      return false;
    }
    Signature signature =
        Signature.getInstance(
            switch (privateKey.getAlgorithm()) {
              case "EC" -> "SHA256withECDSA";
              case "RSA" -> "SHA256withRSA";
              default -> privateKey.getAlgorithm();
            });
    signature.initSign(privateKey);
    byte[] signed = signature.sign();
    signature.initVerify(publicKey);
    return signature.verify(signed);
  }

  public static PrivateKey privateKey(byte[] pem) throws GeneralSecurityException {
    List<PemBlocks.Block> blocks;
    try {
      blocks = PemBlocks.decode(new String(pem, StandardCharsets.US_ASCII));
    } catch (IllegalArgumentException e) {
      throw new InvalidKeySpecException(String.valueOf(e.getMessage()), e);
    }
    for (PemBlocks.Block block : blocks) {
      switch (block.type()) {
        case PemBlocks.PRIVATE_KEY, PemBlocks.RSA_PRIVATE_KEY, PemBlocks.EC_PRIVATE_KEY -> {
          return decode(pkcs8(block));
        }
        default -> {
          // Certificates, parameters of a curve and the like.
        }
      }
    }
    throw new InvalidKeySpecException(
        "no private key: expected PRIVATE KEY, RSA PRIVATE KEY or EC PRIVATE KEY");
  }

  /// A private key in the form that the JDK reads; the older forms of OpenSSL are the inner part of
  /// it (RFC 5208).
  public static byte[] pkcs8(PemBlocks.Block block) throws InvalidKeySpecException {
    return switch (block.type()) {
      case PemBlocks.RSA_PRIVATE_KEY ->
          wrapped(DerWriter.sequence(DerWriter.oid(RSA), NULL), block.der());
      case PemBlocks.EC_PRIVATE_KEY ->
          wrapped(DerWriter.sequence(DerWriter.oid(EC), curve(block.der())), block.der());
      default -> block.der();
    };
  }

  private static byte[] wrapped(byte[] algorithm, byte[] key) {
    return DerWriter.sequence(DerWriter.integer(BigInteger.ZERO), algorithm, DerWriter.octets(key));
  }

  private static PrivateKey decode(byte[] pkcs8) throws GeneralSecurityException {
    InvalidKeySpecException unknown =
        new InvalidKeySpecException("the private key is none of EC, RSA, Ed25519");
    for (String algorithm : List.of("EC", "RSA", "Ed25519")) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
      } catch (InvalidKeySpecException e) {
        unknown.addSuppressed(e);
      }
    }
    throw unknown;
  }

  /// The curve's object identifier, which an EC key of this older form carries in field 0.
  private static byte[] curve(byte[] ecKey) throws InvalidKeySpecException {
    try {
      DerReader fields = new DerReader(ecKey).next(DerReader.SEQUENCE).inside();
      while (fields.hasMore()) {
        DerReader.Value field = fields.next();
        if (field.tag() == EC_PARAMETERS) {
          return field.content();
        }
      }
    } catch (MalformedRequestException e) {
      throw new InvalidKeySpecException(String.valueOf(e.getMessage()), e);
    }
    throw new InvalidKeySpecException("the EC private key does not name its curve");
  }
}

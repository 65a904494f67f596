package dev.berth.client;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Certificates and private keys in PEM, of every form that kubeconfigs and certificate files hold.
public final class KeyMaterial {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----([^-]+)-----END \\1-----");
  private static final byte[] VERSION_ZERO = {2, 1, 0};
  private static final byte[] RSA_ALGORITHM =
      HexFormat.of().parseHex("300d06092a864886f70d0101010500");
  private static final byte[] EC_ALGORITHM = HexFormat.of().parseHex("06072a8648ce3d0201");
  private static final int SEQUENCE = 0x30;
  private static final int OCTETS = 0x04;
  private static final int EC_PARAMETERS = 0xa0;

  private KeyMaterial() {}

  public static List<X509Certificate> certificates(byte[] pem) throws GeneralSecurityException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(pem))
        .stream()
        .map(X509Certificate.class::cast)
        .toList();
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
    Matcher key = KEY.matcher(new String(pem, StandardCharsets.US_ASCII));
    if (!key.find()) {
      throw new InvalidKeySpecException(
          "no private key: expected PRIVATE KEY, RSA PRIVATE KEY or EC PRIVATE KEY");
    }
    byte[] der = Base64.getMimeDecoder().decode(key.group(2));
    byte[] pkcs8 =
        switch (key.group(1)) {
          case "RSA PRIVATE KEY" -> der(SEQUENCE, VERSION_ZERO, RSA_ALGORITHM, der(OCTETS, der));
          case "EC PRIVATE KEY" -> {
            byte[] algorithm = der(SEQUENCE, EC_ALGORITHM, curve(der));
            yield der(SEQUENCE, VERSION_ZERO, algorithm, der(OCTETS, der));
          }
          default -> der;
        };
    return decode(pkcs8);
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
    int at = contentStart(ecKey, 0);
    while (at < ecKey.length) {
      int content = contentStart(ecKey, at);
      int length = length(ecKey, at + 1);
      if ((ecKey[at] & 0xff) == EC_PARAMETERS) {
        return java.util.Arrays.copyOfRange(ecKey, content, content + length);
      }
      at = content + length;
    }
    throw new InvalidKeySpecException("the EC private key does not name its curve");
  }

  private static int contentStart(byte[] der, int at) {
    int first = der[at + 1] & 0xff;
    return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
  }

  private static int length(byte[] der, int at) {
    int first = der[at] & 0xff;
    if (first < 0x80) {
      return first;
    }
    int length = 0;
    for (int i = 1; i <= (first & 0x7f); i++) {
      length = length << 8 | (der[at + i] & 0xff);
    }
    return length;
  }

  private static byte[] der(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.write(tag);
    int size = content.size();
    if (size >= 0x80) {
      // Private keys are shorter than 64 KiB, so two bytes hold every length.
      whole.write(0x82);
      whole.write(size >> 8);
    }
    whole.write(size);
    whole.writeBytes(content.toByteArray());
    return whole.toByteArray();
  }
}

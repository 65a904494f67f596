package dev.berth.api.certificates;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A certificate signing request (PKCS #10, RFC 2986), checked to be signed with its own key.
///
/// Only subject, key and names are kept; the issuer decides about everything else.
// The record holds an array with the subject's DER; nothing compares these records.
@SuppressWarnings("ArrayRecordComponent")
public record CertificateRequest(
    byte[] subject,
    String commonName,
    List<String> organizations,
    PublicKey key,
    RequestedNames names) {
  private static final int ATTRIBUTES = 0xa0;
  private static final int LARGEST_RSA = 8_192;
  private static final int SMALLEST_RSA = 2_048;
  private static final Set<Integer> CURVES = Set.of(256, 384, 521);

  /// The JDK's names of signature algorithms, by the hexadecimal form of their DER identifiers.
  private static final Map<String, String> ALGORITHMS =
      Map.of(
          HexKey.of(DerWriter.oid("1.2.840.10045.4.3.2")), "SHA256withECDSA",
          HexKey.of(DerWriter.oid("1.2.840.10045.4.3.3")), "SHA384withECDSA",
          HexKey.of(DerWriter.oid("1.2.840.10045.4.3.4")), "SHA512withECDSA",
          HexKey.of(DerWriter.oid("1.2.840.113549.1.1.11")), "SHA256withRSA",
          HexKey.of(DerWriter.oid("1.2.840.113549.1.1.12")), "SHA384withRSA",
          HexKey.of(DerWriter.oid("1.2.840.113549.1.1.13")), "SHA512withRSA",
          HexKey.of(DerWriter.oid("1.3.101.112")), "Ed25519");

  private static final Map<String, String> KEYS =
      Map.of(
          HexKey.of(DerWriter.oid("1.2.840.10045.2.1")), "EC",
          HexKey.of(DerWriter.oid("1.2.840.113549.1.1.1")), "RSA",
          HexKey.of(DerWriter.oid("1.3.101.112")), "Ed25519");

  public CertificateRequest {
    organizations = List.copyOf(organizations);
  }

  /// Reads the first PEM block, as upstream does, and checks its signature.
  public static CertificateRequest parse(String pem) throws MalformedRequestException {
    try {
      return read(der(pem));
    } catch (GeneralSecurityException e) {
      throw new MalformedRequestException(String.valueOf(e.getMessage()), e);
    }
  }

  private static byte[] der(String pem) throws MalformedRequestException {
    String wrong = "PEM block type must be CERTIFICATE REQUEST";
    try {
      return PemBlocks.first(pem)
          .filter(block -> block.type().equals(PemBlocks.CERTIFICATE_REQUEST))
          .orElseThrow(() -> new MalformedRequestException(wrong))
          .der();
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException(wrong, e);
    }
  }

  private static CertificateRequest read(byte[] der)
      throws MalformedRequestException, GeneralSecurityException {
    DerReader outer = new DerReader(der);
    DerReader parts = outer.next(DerReader.SEQUENCE).inside();
    outer.requireEnd();
    DerReader.Value content = parts.next(DerReader.SEQUENCE);
    DerReader.Value algorithm = parts.next(DerReader.SEQUENCE);
    DerReader.Value signature = parts.next(DerReader.BIT_STRING);
    parts.requireEnd();
    DerReader fields = content.inside();
    fields.next(DerReader.INTEGER);
    DerReader.Value subject = fields.next(DerReader.SEQUENCE);
    PublicKey key = key(fields.next(DerReader.SEQUENCE));
    verify(key, algorithm, content.whole(), signature.bits());
    SubjectAttributes attributes = SubjectAttributes.read(subject);
    return new CertificateRequest(
        subject.whole(),
        attributes.commonName(),
        attributes.organizations(),
        key,
        fields.peekTag() == ATTRIBUTES
            ? RequestedNames.read(fields.next(ATTRIBUTES).inside())
            : RequestedNames.NONE);
  }

  private static PublicKey key(DerReader.Value info)
      throws MalformedRequestException, GeneralSecurityException {
    String oid =
        HexKey.of(info.inside().next(DerReader.SEQUENCE).inside().next(DerReader.OID).whole());
    String name = KEYS.get(oid);
    if (name == null) {
      throw new MalformedRequestException("the key is neither RSA nor EC nor Ed25519");
    }
    PublicKey key =
        KeyFactory.getInstance(name).generatePublic(new X509EncodedKeySpec(info.whole()));
    Optional<String> problem = problem(key);
    if (problem.isPresent()) {
      throw new MalformedRequestException(problem.get());
    }
    return key;
  }

  /// Checked before the signature: verification with a huge key takes long.
  private static Optional<String> problem(PublicKey key) {
    return switch (key) {
      case RSAPublicKey rsa -> {
        int bits = rsa.getModulus().bitLength();
        boolean usual =
            bits >= SMALLEST_RSA
                && bits <= LARGEST_RSA
                && rsa.getPublicExponent().bitLength() <= 32;
        yield usual
            ? Optional.empty()
            : Optional.of(
                "the RSA key has %d bits (allowed: %d to %d, with an exponent of 32 bits at most)"
                    .formatted(bits, SMALLEST_RSA, LARGEST_RSA));
      }
      case ECPublicKey ec -> {
        int bits = ec.getParams().getCurve().getField().getFieldSize();
        yield CURVES.contains(bits)
            ? Optional.empty()
            : Optional.of("the EC key is of another curve than P-256, P-384 and P-521");
      }
      default -> Optional.empty();
    };
  }

  private static void verify(
      PublicKey key, DerReader.Value algorithm, byte[] content, byte[] signature)
      throws MalformedRequestException, GeneralSecurityException {
    String name = ALGORITHMS.get(HexKey.of(algorithm.inside().next(DerReader.OID).whole()));
    if (name == null) {
      throw new MalformedRequestException(
          "the signature algorithm is not supported (supported: "
              + String.join(", ", ALGORITHMS.values().stream().sorted().toList())
              + ")");
    }
    Signature verifier = Signature.getInstance(name);
    verifier.initVerify(key);
    verifier.update(content);
    if (!verifier.verify(signature)) {
      throw new MalformedRequestException("the request is not signed with its own key");
    }
  }
}

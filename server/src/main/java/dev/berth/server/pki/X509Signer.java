package dev.berth.server.pki;

import dev.berth.api.certificates.CertificateRequest;
import dev.berth.api.certificates.DerWriter;
import dev.berth.api.certificates.KeyMaterial;
import dev.berth.api.certificates.RequestedNames;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Builds and signs certificates (RFC 5280).
///
/// The JDK lacks only the assembly of a certificate. A library would cost over half a second of the
/// first start, because its signed jar is verified class by class and is excluded from the AOT
/// cache.
///
/// Serial numbers are 127 random bits, as RFC 5280 allows at most 20 octets and CAs must not repeat
/// one. The signer keeps no record of what it signed.
final class X509Signer {
  /// Ten years, like kubeadm's CA.
  private static final Duration CA_LIFETIME = Duration.ofDays(3652);

  /// As kubeadm's; they are replaced long before.
  static final Duration LEAF_LIFETIME = Duration.ofDays(365);

  /// Clients' clocks may be behind.
  private static final Duration SKEW = Duration.ofMinutes(5);

  private static final String SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
  private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";

  /// Bits of the extension KeyUsage (RFC 5280 section 4.2.1.3), most significant first.
  private static final int DIGITAL_SIGNATURE = 0x80;

  private static final int KEY_ENCIPHERMENT = 0x20;
  private static final int KEY_CERT_SIGN = 0x04;

  private final Clock clock;
  private final SecureRandom random;

  X509Signer(Clock clock, SecureRandom random) {
    this.clock = clock;
    this.random = random;
  }

  /// A certificate authority that signs leaves only.
  KeyAndCertificate authority(String commonName) {
    return authority(name(commonName, List.of()), KeyMaterial.newKeys());
  }

  /// Renews a CA with the same key: certificates that it signed stay valid.
  KeyAndCertificate extended(KeyAndCertificate authority) {
    return authority(
        authority.certificate().getSubjectX500Principal().getEncoded(),
        new KeyPair(authority.certificate().getPublicKey(), authority.key()));
  }

  private KeyAndCertificate authority(byte[] name, KeyPair pair) {
    List<byte[]> extensions = new ArrayList<>();
    // CA:TRUE with path length 0: no intermediate CAs.
    extensions.add(
        critical(
            "2.5.29.19",
            DerWriter.sequence(DerWriter.booleanTrue(), DerWriter.integer(BigInteger.ZERO))));
    extensions.add(keyUsage(DIGITAL_SIGNATURE | KEY_CERT_SIGN));
    return new KeyAndCertificate(
        pair.getPrivate(),
        certificate(
            new Request(name, name, pair.getPublic(), CA_LIFETIME, extensions),
            pair.getPrivate(),
            pair.getPublic()));
  }

  KeyAndCertificate server(KeyAndCertificate authority, SubjectNames names) {
    KeyPair pair = KeyMaterial.newKeys();
    byte[] subject = name("kube-apiserver", List.of());
    List<byte[]> extensions = List.of(alternatives(names));
    return new KeyAndCertificate(
        pair.getPrivate(), leaf(authority, pair.getPublic(), subject, SERVER_AUTH, extensions));
  }

  private static byte[] alternatives(SubjectNames names) {
    List<byte[]> all = new ArrayList<>();
    names.hosts().forEach(host -> all.add(DerWriter.implicit(2, ascii(host))));
    names
        .addresses()
        .forEach(text -> all.add(DerWriter.implicit(7, InetAddress.ofLiteral(text).getAddress())));
    return extension("2.5.29.17", DerWriter.sequence(all));
  }

  KeyAndCertificate client(KeyAndCertificate authority, ClientIdentity identity) {
    // Common client libraries need extra jars for EC keys, so the administrator gets an RSA key.
    KeyPair pair =
        identity.equals(ClientIdentity.ADMIN) ? KeyPairs.newRsa() : KeyMaterial.newKeys();
    return new KeyAndCertificate(pair.getPrivate(), client(authority, identity, pair.getPublic()));
  }

  /// Signs a client certificate for a public key.
  X509Certificate client(KeyAndCertificate authority, ClientIdentity identity, PublicKey key) {
    byte[] subject = name(identity.user(), identity.groups());
    return leaf(authority, key, subject, CLIENT_AUTH, List.of());
  }

  /// Signs a serving certificate for a public key.
  X509Certificate server(
      KeyAndCertificate authority, ClientIdentity identity, SubjectNames names, PublicKey key) {
    byte[] subject = name(identity.user(), identity.groups());
    List<byte[]> extensions = names.isEmpty() ? List.of() : List.of(alternatives(names));
    return leaf(authority, key, subject, SERVER_AUTH, extensions);
  }

  /// Signs a request with its subject, key and names; never as a CA.
  ///
  /// @param usages Kubernetes' names of the usages; the caller has checked them
  X509Certificate requested(
      KeyAndCertificate authority,
      CertificateRequest request,
      List<String> usages,
      Duration lifetime) {
    boolean server = usages.contains("server auth");
    int usage = usages.contains("key encipherment") ? KEY_ENCIPHERMENT : 0;
    RequestedNames names = request.names();
    return leaf(
        authority,
        new Request(
            authority.certificate().getSubjectX500Principal().getEncoded(),
            request.subject(),
            request.key(),
            lifetime,
            names.isEmpty() ? List.of() : List.of(alternatives(names))),
        server ? SERVER_AUTH : CLIENT_AUTH,
        DIGITAL_SIGNATURE | usage);
  }

  private static byte[] alternatives(RequestedNames names) {
    List<byte[]> all = new ArrayList<>();
    names.emails().forEach(email -> all.add(DerWriter.implicit(1, ascii(email))));
    names.hosts().forEach(host -> all.add(DerWriter.implicit(2, ascii(host))));
    names.uris().forEach(uri -> all.add(DerWriter.implicit(6, ascii(uri))));
    names
        .addresses()
        .forEach(text -> all.add(DerWriter.implicit(7, InetAddress.ofLiteral(text).getAddress())));
    return extension("2.5.29.17", DerWriter.sequence(all));
  }

  private X509Certificate leaf(
      KeyAndCertificate authority,
      PublicKey key,
      byte[] subject,
      String purpose,
      List<byte[]> moreExtensions) {
    byte[] issuer = authority.certificate().getSubjectX500Principal().getEncoded();
    return leaf(
        authority,
        new Request(issuer, subject, key, LEAF_LIFETIME, moreExtensions),
        purpose,
        DIGITAL_SIGNATURE);
  }

  private X509Certificate leaf(
      KeyAndCertificate authority, Request request, String purpose, int usage) {
    List<byte[]> extensions = new ArrayList<>();
    extensions.add(critical("2.5.29.19", DerWriter.sequence()));
    extensions.add(keyUsage(usage));
    extensions.add(extension("2.5.29.37", DerWriter.sequence(DerWriter.oid(purpose))));
    extensions.addAll(request.extensions());
    return certificate(
        new Request(
            request.issuer(), request.subject(), request.key(), request.lifetime(), extensions),
        authority.key(),
        authority.certificate().getPublicKey());
  }

  // DER is bytes; requests are never compared.
  @SuppressWarnings("ArrayRecordComponent")
  private record Request(
      byte[] issuer, byte[] subject, PublicKey key, Duration lifetime, List<byte[]> extensions) {}

  private X509Certificate certificate(
      Request request, PrivateKey signingKey, PublicKey verifyingKey) {
    Instant now = clock.instant();
    try {
      byte[] algorithm = signatureAlgorithm(signingKey);
      List<byte[]> extensions = new ArrayList<>(request.extensions());
      PublicKey key = request.key();
      extensions.add(extension("2.5.29.14", DerWriter.octets(keyIdentifier(key))));
      extensions.add(
          extension(
              "2.5.29.35", DerWriter.sequence(DerWriter.implicit(0, keyIdentifier(verifyingKey)))));
      byte[] content =
          DerWriter.sequence(
              DerWriter.explicit(0, DerWriter.integer(BigInteger.TWO)),
              DerWriter.integer(new BigInteger(127, random).add(BigInteger.ONE)),
              algorithm,
              request.issuer(),
              DerWriter.sequence(
                  DerWriter.time(now.minus(SKEW)), DerWriter.time(now.plus(request.lifetime()))),
              request.subject(),
              key.getEncoded(),
              DerWriter.explicit(3, DerWriter.sequence(extensions)));
      Signature signature = Signature.getInstance(KeyPairs.signatureAlgorithm(signingKey));
      signature.initSign(signingKey);
      signature.update(content);
      return KeyMaterial.certificate(
          DerWriter.sequence(content, algorithm, DerWriter.bits(signature.sign(), 0)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot sign a certificate", e);
    }
  }

  private static byte[] signatureAlgorithm(PrivateKey key) {
    return switch (key.getAlgorithm()) {
      case "EC" -> DerWriter.sequence(DerWriter.oid("1.2.840.10045.4.3.2"));
      case "RSA" ->
          DerWriter.sequence(DerWriter.oid("1.2.840.113549.1.1.11"), new byte[] {0x05, 0x00});
      default ->
          throw new IllegalArgumentException(
              "the authority's key is " + key.getAlgorithm() + " (EC and RSA are supported)");
    };
  }

  /// RFC 5280 section 4.2.1.2 allows any method; issuer and subject must use the same.
  private static byte[] keyIdentifier(PublicKey key) throws GeneralSecurityException {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
    return Arrays.copyOf(digest, 20);
  }

  /// A bit string of DER names the number of unused bits at its end.
  private static byte[] keyUsage(int usage) {
    int unused = Integer.numberOfTrailingZeros(usage);
    return critical("2.5.29.15", DerWriter.bits(new byte[] {(byte) usage}, unused));
  }

  private static byte[] critical(String oid, byte[] value) {
    return DerWriter.sequence(DerWriter.oid(oid), DerWriter.booleanTrue(), DerWriter.octets(value));
  }

  private static byte[] extension(String oid, byte[] value) {
    return DerWriter.sequence(DerWriter.oid(oid), DerWriter.octets(value));
  }

  private static byte[] name(String commonName, List<String> organizations) {
    List<byte[]> parts = new ArrayList<>();
    organizations.forEach(organization -> parts.add(attribute("2.5.4.10", organization)));
    parts.add(attribute("2.5.4.3", commonName));
    return DerWriter.sequence(parts);
  }

  private static byte[] attribute(String oid, String value) {
    return DerWriter.set(DerWriter.sequence(DerWriter.oid(oid), DerWriter.utf8(value)));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}

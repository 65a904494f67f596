package dev.berth.server.pki;

import dev.berth.api.Problem;
import dev.berth.api.certificates.KeyMaterial;
import dev.berth.api.certificates.PemBlocks;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;

/// A private key and its certificate, in one file, so that they always match.
///
/// `toString` shows the subject only, so that no log contains a key.
public record KeyAndCertificate(PrivateKey key, X509Certificate certificate) {
  public String certificatePem() {
    return pem(certificate);
  }

  public String keyPem() {
    return PemBlocks.encode(PemBlocks.PRIVATE_KEY, key.getEncoded());
  }

  @Override
  public String toString() {
    return "Credential[" + certificate.getSubjectX500Principal().getName() + "]";
  }

  static String pem(X509Certificate certificate) {
    try {
      return PemBlocks.encode(PemBlocks.CERTIFICATE, certificate.getEncoded());
    } catch (CertificateException e) {
      throw new IllegalStateException("a certificate has no DER form", e);
    }
  }

  static KeyAndCertificate read(Path file) {
    try {
      KeyAndCertificate credential = parse(PkiFiles.read(file));
      KeyPairs.check(credential.key, credential.certificate.getPublicKey());
      return credential;
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw damaged(file, e);
    }
  }

  void store(Path file) {
    PkiFiles.write(file, certificatePem() + keyPem());
  }

  static PkiException damaged(Path file, Exception cause) {
    return new PkiException(
        new Problem(
            "cannot use " + file,
            "the file does not contain the key and certificate that Berth wrote ("
                + cause.getMessage()
                + ")",
            "Restore it from a backup, or delete it and restart to create a new one"),
        cause);
  }

  private static KeyAndCertificate parse(String text) throws GeneralSecurityException {
    List<PemBlocks.Block> blocks = PemBlocks.decode(text);
    if (blocks.size() != 2
        || !blocks.get(0).type().equals(PemBlocks.CERTIFICATE)
        || !blocks.get(1).type().equals(PemBlocks.PRIVATE_KEY)) {
      throw new IllegalArgumentException("expected one certificate and one private key");
    }
    X509Certificate certificate = KeyMaterial.certificate(blocks.get(0).der());
    PrivateKey key =
        KeyFactory.getInstance(certificate.getPublicKey().getAlgorithm())
            .generatePrivate(new PKCS8EncodedKeySpec(blocks.get(1).der()));
    return new KeyAndCertificate(key, certificate);
  }
}

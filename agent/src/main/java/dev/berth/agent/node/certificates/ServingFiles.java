package dev.berth.agent.node.certificates;

import dev.berth.api.certificates.KeyMaterial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/// A serving certificate that an administrator provides and renews in place, as with the kubelet's
/// `--tls-cert-file` and `--tls-private-key-file`.
///
/// @param certificates the node's own first, then those of its CAs
public record ServingFiles(Path certificates, Path key) implements CertificateSource {
  @Override
  public Served obtain() throws GeneralSecurityException, IOException {
    List<X509Certificate> chain = KeyMaterial.certificates(Files.readAllBytes(certificates));
    PrivateKey privateKey = KeyMaterial.privateKey(Files.readAllBytes(key));
    if (chain.isEmpty()) {
      throw new GeneralSecurityException("there is no certificate in " + certificates);
    }
    if (!KeyMaterial.isPair(privateKey, chain.getFirst().getPublicKey())) {
      throw new GeneralSecurityException(
          "%s is not the key of the certificate in %s".formatted(key, certificates));
    }
    return new Served(privateKey, chain, Instant.MIN);
  }
}

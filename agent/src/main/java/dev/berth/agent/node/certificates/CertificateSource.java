package dev.berth.agent.node.certificates;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/// A source of the certificate of the node's server.
public interface CertificateSource {
  /// A key with its certificate.
  ///
  /// @param chain the node's own certificate first
  /// @param renewAt the source is not asked again before this time
  record Served(PrivateKey key, List<X509Certificate> chain, Instant renewAt) {
    public Served {
      chain = List.copyOf(chain);
    }
  }

  /// The newest certificate.
  ///
  /// @throws dev.berth.client.ClientException when the API server does not answer
  Served obtain() throws GeneralSecurityException, IOException, InterruptedException;
}

package dev.berth.agent.node.certificates;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/// Where the certificate of the node's server comes from.
public interface CertificateSource {
  /// A key with its certificate.
  ///
  /// @param chain the node's own first
  /// @param renewAt not asked again before
  record Served(PrivateKey key, List<X509Certificate> chain, Instant renewAt) {
    public Served {
      chain = List.copyOf(chain);
    }
  }

  /// The newest.
  ///
  /// @throws dev.berth.client.ClientException when the API server does not answer
  Served obtain() throws GeneralSecurityException, IOException, InterruptedException;
}

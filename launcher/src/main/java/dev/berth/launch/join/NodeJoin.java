package dev.berth.launch.join;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// How a node gets into a cluster.
public sealed interface NodeJoin {
  /// With credentials that somebody made for it.
  record Kubeconfig(Path file) implements NodeJoin {}

  /// With a token, once; from then on with its own certificate.
  ///
  /// @param token null where the certificate has to do
  /// @param byRequest whether the cluster is found by `cluster-info` and the certificate is got by
  ///   a CertificateSigningRequest, which any API server has; else by Berth's own paths
  record Join(URI server, @Nullable JoinToken token, boolean byRequest) implements NodeJoin {
    public Join(URI server, @Nullable JoinToken token) {
      this(server, token, false);
    }
  }

  /// With credentials that are good for a CertificateSigningRequest only; from then on with the
  /// node's own certificate.
  ///
  /// @param kubeconfig to be written; null for one in the data directory
  record Bootstrap(Path credentials, @Nullable Path kubeconfig) implements NodeJoin {}
}

package dev.berth.launch.join;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// How a node joins a cluster.
public sealed interface NodeJoin {
  /// With a kubeconfig that an administrator provides.
  record Kubeconfig(Path file) implements NodeJoin {}

  /// With a token, once; afterwards with the node's own certificate.
  ///
  /// @param token null if the node must use the certificate that it has
  /// @param byRequest whether the node reads `cluster-info` and creates a
  ///   CertificateSigningRequest, which every API server supports; otherwise it uses Berth's own
  ///   paths
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

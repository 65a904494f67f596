package dev.berth.launch.join;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The ways in which a node joins a cluster.
public sealed interface NodeJoin {
  /// The node uses a kubeconfig that an administrator provides, and never renews its certificate.
  record Kubeconfig(Path file) implements NodeJoin {}

  /// The node joins with a token, once. Afterwards it uses its own certificate.
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

  /// The node joins with credentials that may only create a CertificateSigningRequest. Afterwards
  /// it uses its own certificate.
  ///
  /// @param kubeconfig the file to write; null for one in the data directory
  record Bootstrap(Path credentials, @Nullable Path kubeconfig) implements NodeJoin {}
}

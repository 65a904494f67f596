package dev.berth.launch;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// How a node gets into a cluster.
public sealed interface NodeEntry {
  /// With credentials that somebody made for it.
  record Kubeconfig(Path file) implements NodeEntry {}

  /// With a token, once; from then on with its own certificate.
  ///
  /// @param token null where the certificate has to do
  record Join(URI server, @Nullable JoinToken token) implements NodeEntry {}
}

package dev.berth.launch;

import java.net.URI;
import java.nio.file.Path;

/// How a node gets into a cluster.
public sealed interface NodeEntry {
  /// With credentials that somebody made for it.
  record Kubeconfig(Path file) implements NodeEntry {}

  /// With a token, once; from then on with its own certificate.
  record Join(URI server, JoinToken token) implements NodeEntry {}
}

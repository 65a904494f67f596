package dev.berth.server.pki;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The sources of keys and certificates.
///
/// @param shared directory of the CA, the service account key and client certificates; the same on
///   all servers of a cluster
/// @param own directory of this server's own serving certificate
/// @param names host names and addresses of this server besides `localhost` and the in-cluster
///   names
/// @param clientAuthorities file with additional CAs for client certificates
/// @param tokenKeys files with additional public keys of service account tokens
/// @param signingKey file with the signing key of new service account tokens
/// @param serving an external serving certificate
public record PkiConfig(
    Path shared,
    Path own,
    List<String> names,
    @Nullable Path clientAuthorities,
    List<Path> tokenKeys,
    @Nullable Path signingKey,
    @Nullable Serving serving) {

  /// A certificate, followed by those of its issuers, and its key.
  public record Serving(Path certificates, Path key) {}

  public PkiConfig {
    names = List.copyOf(names);
    tokenKeys = List.copyOf(tokenKeys);
  }

  /// Returns a configuration with all credentials in one directory, which is created when missing.
  public static PkiConfig of(Path directory, List<String> names) {
    return new PkiConfig(directory, directory, names, null, List.of(), null, null);
  }
}

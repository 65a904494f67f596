package dev.berth.server.pki;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where keys and certificates come from.
///
/// @param shared the authority, the service accounts' key and the clients' certificates; servers of
///   one cluster have the same
/// @param own what belongs to this server alone: its serving certificate
/// @param names host names and addresses under which clients reach this server, beyond `localhost`
///   and the in-cluster names
/// @param clientAuthorities a file of further authorities whose clients are let in
/// @param tokenKeys files with further keys that service account tokens may be signed with
/// @param signingKey a file with the key that new service account tokens are signed with
/// @param serving a serving certificate that somebody else made
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

  /// Everything in one directory, made when it is missing.
  public static PkiConfig of(Path directory, List<String> names) {
    return new PkiConfig(directory, directory, names, null, List.of(), null, null);
  }
}

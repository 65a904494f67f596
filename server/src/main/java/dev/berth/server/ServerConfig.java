package dev.berth.server;

import dev.berth.server.encryption.ValueEncryption;
import dev.berth.server.http.HttpConfig;
import dev.berth.server.kinds.KindOptions;
import dev.berth.server.pki.PkiConfig;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;

/// What an administrator decides about an API server.
///
/// @param dataDir holds the administrator's kubeconfig, and keys and certificates unless told
///   otherwise
/// @param port 0 for any free one
/// @param encryption how values are stored
public record ServerConfig(
    Path dataDir,
    InetAddress bindAddress,
    int port,
    KindOptions kinds,
    HttpConfig http,
    PkiConfig pki,
    ValueEncryption encryption) {

  /// Everything that can be left to Berth.
  public static ServerConfig of(Path dataDir, InetAddress bindAddress, int port) {
    return new ServerConfig(
        dataDir,
        bindAddress,
        port,
        KindOptions.STANDARD,
        HttpConfig.STANDARD,
        PkiConfig.of(dataDir.resolve("pki"), List.of(bindAddress.getHostAddress())),
        ValueEncryption.NONE);
  }

  public ServerConfig with(KindOptions changed) {
    return new ServerConfig(dataDir, bindAddress, port, changed, http, pki, encryption);
  }

  public ServerConfig with(HttpConfig changed) {
    return new ServerConfig(dataDir, bindAddress, port, kinds, changed, pki, encryption);
  }

  public ServerConfig with(PkiConfig changed) {
    return new ServerConfig(dataDir, bindAddress, port, kinds, http, changed, encryption);
  }

  public ServerConfig with(ValueEncryption changed) {
    return new ServerConfig(dataDir, bindAddress, port, kinds, http, pki, changed);
  }
}

package dev.berth.server;

import dev.berth.server.encryption.ValueEncryption;
import dev.berth.server.http.HttpConfig;
import dev.berth.server.kinds.catalog.KindOptions;
import dev.berth.server.pki.PkiConfig;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
    ValueEncryption encryption,
    Network network) {

  /// How programs in the cluster find the server: by `default/kubernetes`.
  ///
  /// @param services the first of these addresses is that of the Service
  /// @param advertised the address in its Endpoints; null for one of this machine
  public record Network(ServiceRange services, @Nullable InetAddress advertised) {
    public static final Network STANDARD = new Network(ServiceRange.STANDARD, null);
  }

  /// Everything that can be left to Berth.
  public static ServerConfig of(Path dataDir, InetAddress bindAddress, int port) {
    return new ServerConfig(
        dataDir,
        bindAddress,
        port,
        KindOptions.STANDARD,
        HttpConfig.STANDARD,
        PkiConfig.of(
            dataDir.resolve("pki"),
            List.of(bindAddress.getHostAddress(), ServiceRange.STANDARD.first())),
        ValueEncryption.NONE,
        Network.STANDARD);
  }

  public ServerConfig with(KindOptions changed) {
    return new ServerConfig(dataDir, bindAddress, port, changed, http, pki, encryption, network);
  }

  public ServerConfig with(HttpConfig changed) {
    return new ServerConfig(dataDir, bindAddress, port, kinds, changed, pki, encryption, network);
  }

  public ServerConfig with(PkiConfig changed) {
    return new ServerConfig(dataDir, bindAddress, port, kinds, http, changed, encryption, network);
  }

  public ServerConfig with(ValueEncryption changed) {
    return new ServerConfig(dataDir, bindAddress, port, kinds, http, pki, changed, network);
  }

  public ServerConfig with(Network changed) {
    return new ServerConfig(dataDir, bindAddress, port, kinds, http, pki, encryption, changed);
  }
}

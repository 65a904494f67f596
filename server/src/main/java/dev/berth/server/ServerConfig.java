package dev.berth.server;

import dev.berth.server.encryption.ValueEncryption;
import dev.berth.server.http.HttpConfig;
import dev.berth.server.kinds.catalog.KindOptions;
import dev.berth.server.pki.PkiConfig;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Configuration of an API server.
///
/// @param dataDir directory of the administrator's kubeconfig, and by default of keys and
///   certificates
/// @param port TCP port, 0 for any free one
/// @param encryption encryption of stored values
public record ServerConfig(
    Path dataDir,
    InetAddress bindAddress,
    int port,
    KindOptions kinds,
    HttpConfig http,
    PkiConfig pki,
    ValueEncryption encryption,
    Network network) {

  /// The addresses of `default/kubernetes`, by which programs in the cluster find the server.
  ///
  /// @param services range of Service addresses; the first one is that of `default/kubernetes`
  /// @param advertised the address in the Endpoints; null to choose one of this machine
  public record Network(ServiceRange services, @Nullable InetAddress advertised) {
    public static final Network STANDARD = new Network(ServiceRange.STANDARD, null);
  }

  /// A configuration with defaults.
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

package dev.berth.server;

import dev.berth.server.http.HttpLimits;
import dev.berth.server.http.InflightLimits;
import dev.berth.server.kinds.KindOptions;
import java.net.InetAddress;
import java.nio.file.Path;

/// What an administrator decides about an API server.
///
/// @param dataDir holds keys, certificates and the administrator's kubeconfig
/// @param port 0 for any free one
public record ServerConfig(
    Path dataDir,
    InetAddress bindAddress,
    int port,
    KindOptions kinds,
    HttpLimits http,
    InflightLimits inflight) {

  /// Everything that can be left to Berth.
  public static ServerConfig of(Path dataDir, InetAddress bindAddress, int port) {
    return new ServerConfig(
        dataDir,
        bindAddress,
        port,
        KindOptions.STANDARD,
        HttpLimits.STANDARD,
        InflightLimits.STANDARD);
  }

  public ServerConfig with(KindOptions changed) {
    return new ServerConfig(dataDir, bindAddress, port, changed, http, inflight);
  }

  public ServerConfig with(HttpLimits changed) {
    return new ServerConfig(dataDir, bindAddress, port, kinds, changed, inflight);
  }

  public ServerConfig with(InflightLimits changed) {
    return new ServerConfig(dataDir, bindAddress, port, kinds, http, changed);
  }
}

package dev.berth.server;

import dev.berth.server.kinds.KindOptions;
import java.net.InetAddress;
import java.nio.file.Path;

/// What an administrator decides about an API server.
///
/// @param dataDir holds keys, certificates and the administrator's kubeconfig
/// @param port 0 for any free one
public record ServerConfig(Path dataDir, InetAddress bindAddress, int port, KindOptions kinds) {}

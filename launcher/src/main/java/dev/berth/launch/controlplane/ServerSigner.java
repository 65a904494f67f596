package dev.berth.launch.controlplane;

import dev.berth.api.certificates.CertificateRequest;
import dev.berth.api.certificates.CertificateSigner;
import dev.berth.api.certificates.ServerNames;
import dev.berth.controllers.certificates.ClusterSigner;
import dev.berth.launch.process.NodeAddress;
import dev.berth.server.ApiServer;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/// Gives the controllers access to the authorities of the API server in this process. The keys stay
/// in the server: no API serves them.
record ServerSigner(ApiServer server, boolean approvesServing) implements ClusterSigner {
  @Override
  public String sign(
      CertificateSigner by, CertificateRequest request, List<String> usages, Duration lifetime) {
    return server.sign(by, request, usages, lifetime);
  }

  @Override
  public ServerNames serverNames() {
    return server.names();
  }

  /// The address for other machines. A server on all addresses has the loopback address in its own
  /// URL.
  @Override
  public String url() {
    InetAddress address = NodeAddress.ofThisMachine();
    String host = address.getHostAddress();
    return server.names().addresses().contains(host) && !address.isLoopbackAddress()
        ? "https://%s:%d"
            .formatted(
                host.contains(":") ? "[" + host + "]" : host, URI.create(server.url()).getPort())
        : server.url();
  }
}

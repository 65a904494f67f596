package dev.berth.api.certificates;

import java.util.Set;

/// The host names and addresses under which clients reach the API server.
///
/// @param hosts may contain wildcards such as `*.example.com`
/// @param addresses in the form of `InetAddress.getHostAddress`
public record ServerNames(Set<String> hosts, Set<String> addresses) {
  public ServerNames {
    hosts = Set.copyOf(hosts);
    addresses = Set.copyOf(addresses);
  }

  /// Whether a certificate with these names is valid for a host; `*` stands for one label.
  public boolean covers(String host) {
    int dot = host.indexOf('.');
    return hosts.contains(host) || (dot > 0 && hosts.contains("*" + host.substring(dot)));
  }
}

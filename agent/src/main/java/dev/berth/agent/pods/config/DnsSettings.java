package dev.berth.agent.pods.config;

import java.nio.file.Path;
import java.util.List;

/// DNS settings of the node and its cluster.
///
/// @param servers the cluster's DNS servers; without any, pods get the host's
/// @param domain the cluster's domain, such as `cluster.local`
/// @param hostFile the host's `resolv.conf`
public record DnsSettings(List<String> servers, String domain, Path hostFile) {
  public static final DnsSettings OF_THE_HOST =
      new DnsSettings(List.of(), "cluster.local", Path.of("/etc/resolv.conf"));

  public DnsSettings {
    servers = List.copyOf(servers);
  }
}

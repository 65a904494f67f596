package dev.berth.agent.pods.config;

import java.nio.file.Path;
import java.util.List;

/// How names are resolved on this node and in its cluster.
///
/// @param servers the cluster's own; without any, pods get those of the host
/// @param domain of the cluster, such as `cluster.local`
/// @param hostFile the host's `resolv.conf`
public record DnsSettings(List<String> servers, String domain, Path hostFile) {
  public static final DnsSettings OF_THE_HOST =
      new DnsSettings(List.of(), "cluster.local", Path.of("/etc/resolv.conf"));

  public DnsSettings {
    servers = List.copyOf(servers);
  }
}

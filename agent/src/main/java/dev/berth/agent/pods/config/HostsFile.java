package dev.berth.agent.pods.config;

import io.fabric8.kubernetes.api.model.HostAlias;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The content of a pod's `/etc/hosts`: its own names (or the host's file for a pod in the host's
/// network) and its host aliases.
public final class HostsFile {
  private static final Path OF_THE_HOST = Path.of("/etc/hosts");
  private static final String LOCAL =
      """
      # Kubernetes-managed hosts file.
      127.0.0.1\tlocalhost
      ::1\tlocalhost ip6-localhost ip6-loopback
      fe00::0\tip6-localnet
      fe00::0\tip6-mcastprefix
      fe00::1\tip6-allnodes
      fe00::2\tip6-allrouters
      """;

  private HostsFile() {}

  /// Builds the file.
  ///
  /// @param clusterDomain such as `cluster.local`
  public static String of(Pod pod, List<String> addresses, String clusterDomain) {
    StringBuilder content = new StringBuilder();
    if (SandboxConfigs.isInHostNetwork(pod)) {
      content.append("# Kubernetes-managed hosts file (host network).\n").append(ofHost());
    } else {
      content.append(LOCAL);
      PodName name = PodName.of(pod, clusterDomain);
      String names = name.domain().isEmpty() ? name.host() : name.full() + "\t" + name.host();
      addresses.forEach(address -> content.append(address).append('\t').append(names).append('\n'));
    }
    List<HostAlias> aliases = pod.getSpec().getHostAliases();
    if (!aliases.isEmpty()) {
      content.append("\n# Entries added by HostAliases.\n");
      aliases.forEach(
          alias ->
              content
                  .append(alias.getIp())
                  .append('\t')
                  .append(String.join("\t", alias.getHostnames()))
                  .append('\n'));
    }
    return content.toString();
  }

  private static String ofHost() {
    try {
      return Files.readString(OF_THE_HOST);
    } catch (IOException _) {
      // The host may have no such file.
      return "";
    }
  }
}

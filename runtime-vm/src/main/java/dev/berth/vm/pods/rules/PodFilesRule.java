package dev.berth.vm.pods.rules;

import dev.berth.cri.v1.DNSConfig;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.vm.guest.model.TreeEntry;
import dev.berth.vm.guest.model.TreeEntry.TreeFile;
import dev.berth.vm.network.DnsSettings;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The files that every container of a pod has in `/etc`, unless the pod brings its own.
public final class PodFilesRule {
  /// The name of the volume with them in the guest; no volume of a pod can have it.
  public static final String TREE = "pod-etc";

  public static final List<String> NAMES = List.of("resolv.conf", "hostname", "hosts");

  private PodFilesRule() {}

  /// Computes the files.
  ///
  /// @param proposed what the network plugins say, for a pod that says nothing
  /// @param ofHost content of the host's file, for a pod for which nobody says anything
  public static List<TreeEntry> files(
      PodSandboxConfig config, List<String> addresses, DnsSettings proposed, String ofHost) {
    StringBuilder hosts =
        new StringBuilder(
            """
            127.0.0.1\tlocalhost
            ::1\tlocalhost ip6-localhost ip6-loopback
            """);
    addresses.forEach(
        address -> hosts.append(address).append('\t').append(config.getHostname()).append('\n'));
    return List.of(
        file("resolv.conf", resolver(config, proposed, ofHost)),
        file("hostname", config.getHostname() + "\n"),
        file("hosts", hosts.toString()));
  }

  private static String resolver(PodSandboxConfig config, DnsSettings proposed, String ofHost) {
    if (config.hasDnsConfig()) {
      DNSConfig dns = config.getDnsConfig();
      return lines(dns.getServersList(), dns.getSearchesList(), dns.getOptionsList());
    }
    return proposed.equals(DnsSettings.NONE)
        ? ofHost
        : lines(proposed.nameservers(), proposed.searches(), proposed.options());
  }

  private static String lines(List<String> servers, List<String> searches, List<String> options) {
    StringBuilder text = new StringBuilder();
    if (!searches.isEmpty()) {
      text.append("search ").append(String.join(" ", searches)).append('\n');
    }
    servers.forEach(server -> text.append("nameserver ").append(server).append('\n'));
    if (!options.isEmpty()) {
      text.append("options ").append(String.join(" ", options)).append('\n');
    }
    return text.toString();
  }

  private static TreeFile file(String name, String content) {
    return new TreeFile(name, 0644, 0, 0, content.getBytes(StandardCharsets.UTF_8));
  }
}

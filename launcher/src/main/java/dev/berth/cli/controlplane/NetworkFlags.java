package dev.berth.cli.controlplane;

import dev.berth.cli.options.OptionSection;
import dev.berth.server.ServerConfig;
import dev.berth.server.ServiceRange;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Flags about the Service `default/kubernetes`, by which pods find the API server.
@OptionSection("Service network")
final class NetworkFlags {
  @Option(
      names = "--service-cluster-ip-range",
      paramLabel = "CIDR",
      defaultValue = "10.96.0.0/16",
      description =
          "CIDR range of Service cluster IPs. The first address belongs to the Service"
              + " default/kubernetes; Berth assigns no other address and routes none. Default:"
              + " ${DEFAULT-VALUE}.")
  private String serviceRange = "";

  @Option(
      names = "--advertise-address",
      paramLabel = "IP",
      description =
          "IP address in the Endpoints of the Service default/kubernetes, at which members of"
              + " the cluster reach this API server. Default: --bind-address, or an address of this"
              + " machine if --bind-address is a loopback address or 0.0.0.0.")
  private @Nullable String advertiseAddress;

  ServerConfig.Network read(List<String> mistakes) {
    return new ServerConfig.Network(readRange(mistakes), readAddress(mistakes));
  }

  private ServiceRange readRange(List<String> mistakes) {
    try {
      return ServiceRange.parse(serviceRange);
    } catch (IllegalArgumentException e) {
      mistakes.add("--service-cluster-ip-range=%s: %s".formatted(serviceRange, e.getMessage()));
      return ServiceRange.STANDARD;
    }
  }

  private @Nullable InetAddress readAddress(List<String> mistakes) {
    if (advertiseAddress == null) {
      return null;
    }
    try {
      InetAddress address = InetAddress.ofLiteral(advertiseAddress);
      if (!address.isLoopbackAddress()
          && !address.isAnyLocalAddress()
          && !address.isLinkLocalAddress()
          && !address.isMulticastAddress()) {
        return address;
      }
    } catch (IllegalArgumentException _) {
      // Reported below.
    }
    mistakes.add(
        "--advertise-address=%s: must be an IPv4 or IPv6 address of this machine that others reach, not a loopback or link-local address"
            .formatted(advertiseAddress));
    return null;
  }
}

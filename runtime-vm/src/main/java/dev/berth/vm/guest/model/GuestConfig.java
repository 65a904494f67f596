package dev.berth.vm.guest.model;

import java.util.List;
import java.util.Map;

/// What makes a restored machine the machine of one pod. The clock and the random seed come from
/// the client.
///
/// @param hostName may be empty: unchanged
/// @param network of the only network device
/// @param sysctls by their names with dots, such as `net.core.somaxconn`
public record GuestConfig(String hostName, GuestNetwork network, Map<String, String> sysctls) {
  public GuestConfig {
    sysctls = Map.copyOf(sysctls);
  }

  /// What the network device is given.
  ///
  /// @param mac such as `02:00:00:00:00:01`; empty leaves the device's own
  /// @param mtu 0 leaves the device's own
  /// @param addresses with prefix, such as `10.88.0.7/24`, IPv4 and IPv6
  public record GuestNetwork(String mac, int mtu, List<String> addresses, List<GuestRoute> routes) {
    /// Loopback only.
    public static final GuestNetwork NONE = new GuestNetwork("", 0, List.of(), List.of());

    public GuestNetwork {
      addresses = List.copyOf(addresses);
      routes = List.copyOf(routes);
    }
  }

  /// One route through the network device.
  ///
  /// @param destination with prefix, such as `0.0.0.0/0`
  /// @param gateway may be empty: the destination is on the link
  public record GuestRoute(String destination, String gateway) {}
}

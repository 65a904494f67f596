package dev.berth.vm.network;

import java.util.List;

/// What a guest needs to take over the addresses of its pod.
///
/// @param mac the guest must use this one, because bridges may filter others
/// @param addresses at least one; the first is the primary address
/// @param routes in an order in which they can be set: the way to a gateway before its use
public record PodAddresses(
    String mac, int mtu, List<InterfaceAddress> addresses, List<PodRoute> routes, DnsSettings dns) {
  public PodAddresses {
    addresses = List.copyOf(addresses);
    routes = List.copyOf(routes);
  }
}

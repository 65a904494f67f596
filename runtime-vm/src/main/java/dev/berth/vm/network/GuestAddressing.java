package dev.berth.vm.network;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// Computes what the guest takes over, from what the plugins returned and what the kernel has.
///
/// @param result of the last plugin
/// @param device as `ip -j link` shows it: plugins may have changed the MAC address and the MTU
/// @param kernelRoutes as `ip -j route` shows them. The result does not name them all: the plugin
///   `ptp` puts the other addresses of its range behind the gateway
record GuestAddressing(JsonNode result, JsonNode device, List<JsonNode> kernelRoutes) {
  GuestAddressing {
    kernelRoutes = List.copyOf(kernelRoutes);
  }

  PodAddresses compute() {
    List<InterfaceAddress> addresses =
        elements("ips").filter(this::isInside).map(this::address).toList();
    return new PodAddresses(
        device.path("address").asText(),
        device.path("mtu").asInt(),
        addresses,
        routes(addresses),
        dns(result.path("dns")));
  }

  private Stream<JsonNode> elements(String field) {
    return stream(result.path(field));
  }

  private static Stream<JsonNode> stream(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }

  /// Whether an address is the pod's, and not one of the host that a plugin mentions too.
  private boolean isInside(JsonNode ip) {
    return !ip.has("interface")
        || !result
            .path("interfaces")
            .path(ip.path("interface").asInt())
            .path("sandbox")
            .asText()
            .isEmpty();
  }

  /// A guest makes a route for the range of an address by itself. Where the kernel has none, it
  /// must not: the address stands alone.
  private InterfaceAddress address(JsonNode ip) {
    String[] parts = ip.path("address").asText().split("/", 2);
    IpRange range = IpRange.of(parts[0], Integer.parseInt(parts[1]));
    boolean onLink =
        kernelRoutes.stream()
            .anyMatch(route -> isOnLink(route) && destination(route).equals(range.toString()));
    return new InterfaceAddress(
        parts[0], onLink ? range.prefixLength() : range.bits(), ip.path("gateway").asText());
  }

  /// Routes on the link come first, because a gateway must be reachable when its route is set.
  private List<PodRoute> routes(List<InterfaceAddress> addresses) {
    List<String> own =
        addresses.stream()
            .map(address -> IpRange.of(address.address(), address.prefixLength()).toString())
            .toList();
    List<PodRoute> onLink = new ArrayList<>();
    List<PodRoute> behindGateway = new ArrayList<>();
    for (JsonNode route : kernelRoutes) {
      String destination = destination(route);
      if (own.contains(destination) || destination.startsWith("fe80:") || isMulticast(route)) {
        continue; // The guest's kernel makes them.
      }
      if (isOnLink(route)) {
        onLink.add(new PodRoute(destination, ""));
      } else {
        behindGateway.add(new PodRoute(destination, route.path("gateway").asText()));
      }
    }
    onLink.addAll(behindGateway);
    return onLink;
  }

  private static boolean isOnLink(JsonNode route) {
    return !route.has("gateway");
  }

  private static boolean isMulticast(JsonNode route) {
    return route.path("type").asText().equals("multicast");
  }

  private static boolean isIpv6(JsonNode route) {
    return route.path("dst").asText().contains(":")
        || route.path("gateway").asText().contains(":")
        || route.path("family").asText().equals("inet6");
  }

  /// With its prefix length, which the output of `ip` leaves out for single addresses.
  private static String destination(JsonNode route) {
    String text = route.path("dst").asText();
    if (text.equals("default")) {
      return isIpv6(route) ? "::/0" : "0.0.0.0/0";
    }
    if (text.contains("/")) {
      return text;
    }
    return text + (text.contains(":") ? "/128" : "/32");
  }

  private static DnsSettings dns(JsonNode dns) {
    List<String> searches = new ArrayList<>(texts(dns.path("search")));
    String domain = dns.path("domain").asText();
    if (!domain.isEmpty() && !searches.contains(domain)) {
      searches.addFirst(domain);
    }
    return new DnsSettings(texts(dns.path("nameservers")), searches, texts(dns.path("options")));
  }

  private static List<String> texts(JsonNode array) {
    return stream(array).map(JsonNode::asText).toList();
  }
}

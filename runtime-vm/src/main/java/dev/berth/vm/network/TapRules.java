package dev.berth.vm.network;

import java.util.ArrayList;
import java.util.List;

/// Commands of `tc` that join the device of the plugins with the tap device of the guest. Every
/// frame that arrives at one leaves at the other, before the namespace's own network code sees it,
/// so that the guest has the address and the device's MAC address alone.
///
/// A bridge would need another MAC address for the device, of which some plugins have already
/// informed the network.
record TapRules(PodAddresses addresses, String device, String tap) {
  /// A guest sends under its own addresses alone: root in a container may lack the capability to
  /// forge them, root in a guest has it. Frames that match nothing end in the namespace, which
  /// forwards nothing.
  String text() {
    List<String> lines = new ArrayList<>();
    lines.add("qdisc add dev %s ingress".formatted(device));
    lines.add("qdisc add dev %s ingress".formatted(tap));
    lines.add(
        "filter add dev %s ingress protocol all prio 1 u32 match u32 0 0 %s"
            .formatted(device, redirect(tap)));
    boolean first = true;
    for (InterfaceAddress address : addresses.addresses()) {
      if (address.address().contains(":")) {
        if (first) {
          lines.add(ipv6("fe80::/10")); // Neighbor discovery; duplicate detection has no address.
          lines.add(ipv6("::/128"));
          first = false;
        }
        lines.add(ipv6(address.address() + "/128"));
      } else {
        lines.add(filter("ip", 2, "match ip src " + address.address() + "/32"));
        lines.add(filter("arp", 3, arpSender(address.address())));
      }
    }
    return String.join("\n", lines) + "\n";
  }

  private String ipv6(String source) {
    return filter("ipv6", 4, "match ip6 src " + source);
  }

  private String filter(String protocol, int priority, String match) {
    return "filter add dev %s ingress protocol %s prio %d u32 match ether src %s %s %s"
        .formatted(tap, protocol, priority, addresses.mac(), match, redirect(device));
  }

  private static String redirect(String device) {
    return "action mirred egress redirect dev " + device;
  }

  /// The address that an ARP message claims, at byte 14 of it. A match of four bytes must begin at
  /// a multiple of four, and one of two bytes need not. An address of zeros is a probe (RFC 5227),
  /// which claims nothing, and is left out: guests do not send one.
  private static String arpSender(String address) {
    String[] bytes = address.split("\\.", -1);
    return "match u16 %s 0xffff at 14 match u16 %s 0xffff at 16"
        .formatted(word(bytes[0], bytes[1]), word(bytes[2], bytes[3]));
  }

  private static String word(String high, String low) {
    return "0x%02x%02x".formatted(Integer.parseInt(high), Integer.parseInt(low));
  }
}

package dev.berth.agent.pods.status;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Addresses as a status may have them: API servers accept one of each IP family.
final class AddressFamilies {
  private AddressFamilies() {}

  /// The first IPv4 and the first IPv6 address.
  ///
  /// @param main an address of the family that comes first, such as the node's main address; empty
  ///   to keep the given order
  static List<String> oneEach(List<String> addresses, String main) {
    Stream<String> firsts =
        Stream.of(false, true)
            .flatMap(six -> addresses.stream().filter(one -> isIpv6(one) == six).limit(1));
    Comparator<String> order =
        main.isEmpty()
            ? Comparator.comparingInt(addresses::indexOf)
            : Comparator.comparing(one -> isIpv6(one) != isIpv6(main));
    return firsts.sorted(order).toList();
  }

  private static boolean isIpv6(String address) {
    return address.contains(":");
  }
}

package dev.berth.vm.network;

import java.net.InetAddress;
import java.net.UnknownHostException;

/// The range of addresses that an address and a prefix length name, as the kernel writes it.
///
/// @param text the lowest address of the range
/// @param bits 32 or 128
record IpRange(String text, int prefixLength, int bits) {
  static IpRange of(String address, int prefixLength) {
    try {
      // A literal, which nobody is asked for.
      byte[] bytes = InetAddress.ofLiteral(address).getAddress();
      for (int bit = prefixLength; bit < bytes.length * Byte.SIZE; bit++) {
        bytes[bit / Byte.SIZE] &= (byte) ~(0x80 >> bit % Byte.SIZE);
      }
      String lowest = InetAddress.getByAddress(bytes).getHostAddress();
      return new IpRange(shortened(lowest), prefixLength, bytes.length * Byte.SIZE);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("no address: " + address, e);
    }
  }

  /// The JDK writes all groups of an IPv6 address; the kernel leaves out the longest run of zeros.
  private static String shortened(String address) {
    String longest = "";
    for (String zeros = "0:0"; (":" + address + ":").contains(":" + zeros + ":"); zeros += ":0") {
      longest = zeros;
    }
    if (longest.isEmpty()) {
      return address;
    }
    String shorter = (":" + address + ":").replaceFirst(":" + longest + ":", "::");
    if (shorter.startsWith(":") && !shorter.startsWith("::")) {
      shorter = shorter.substring(1);
    }
    if (shorter.endsWith(":") && !shorter.endsWith("::")) {
      shorter = shorter.substring(0, shorter.length() - 1);
    }
    return shorter;
  }

  @Override
  public String toString() {
    return text + "/" + prefixLength;
  }
}

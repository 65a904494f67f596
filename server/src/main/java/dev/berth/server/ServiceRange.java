package dev.berth.server;

import java.net.InetAddress;
import java.net.UnknownHostException;

/// The address range of Services (`--service-cluster-ip-range`).
///
/// @param network its lowest address
/// @param prefix length of the prefix in bits
public record ServiceRange(InetAddress network, int prefix) {
  /// Upstream's bounds of the number of host bits.
  private static final int FEWEST_BITS = 3;

  /// Upstream's limit: a range has at most 2^20 addresses, because each allocated one is
  /// remembered.
  private static final int MOST_BITS = 20;

  /// A range that machines and pods usually do not use.
  public static final ServiceRange STANDARD = parse("10.96.0.0/16");

  /// Reads `ADDRESS/BITS`.
  ///
  /// @throws IllegalArgumentException with the reason
  public static ServiceRange parse(String text) {
    int slash = text.indexOf('/');
    String bits = text.substring(slash + 1);
    if (slash < 0 || !bits.matches("\\d{1,3}")) {
      throw new IllegalArgumentException(
          "must be a range of addresses such as 10.96.0.0/16 or fd00:10:96::/112");
    }
    byte[] bytes = address(text.substring(0, slash)).getAddress();
    int prefix = Integer.parseInt(bits);
    int least = bytes.length * Byte.SIZE - MOST_BITS;
    int most = bytes.length * Byte.SIZE - FEWEST_BITS;
    if (prefix < least || prefix > most) {
      throw new IllegalArgumentException(
          "must have from /%d to /%d, which is %d to %d addresses"
              .formatted(least, most, 1 << MOST_BITS, 1 << FEWEST_BITS));
    }
    for (int bit = prefix; bit < bytes.length * Byte.SIZE; bit++) {
      bytes[bit / Byte.SIZE] &= (byte) ~(0x80 >> bit % Byte.SIZE);
    }
    return new ServiceRange(of(bytes), prefix);
  }

  private static InetAddress address(String text) {
    try {
      return InetAddress.ofLiteral(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'%s' is not an IP address".formatted(text), e);
    }
  }

  private static InetAddress of(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("no address has %d bytes".formatted(bytes.length), e);
    }
  }

  /// The address of `default/kubernetes`: the first after the network address.
  public String first() {
    byte[] bytes = network.getAddress();
    bytes[bytes.length - 1]++;
    return of(bytes).getHostAddress();
  }
}

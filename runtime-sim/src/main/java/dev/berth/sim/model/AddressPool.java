package dev.berth.sim.model;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/// Hands out the addresses of a range to pods. Not safe for several threads: `SimMachine` guards
/// it. A bit set remembers the addresses in use, so that a range with many pods stays cheap.
public final class AddressPool {
  /// Bound of the bit set for large ranges: an IPv6 range has more addresses than any machine has
  /// pods.
  private static final int MOST = 1 << 20;

  private final byte[] base;
  private final int size;

  /// Offsets in use. The first two are reserved for the network and its gateway.
  private final BitSet taken = new BitSet();

  private int last = 1;

  private AddressPool(byte[] base, int size) {
    this.base = base;
    this.size = size;
    taken.set(0, 2);
  }

  /// Reads a range such as `10.88.0.0/16` or `fd00:88::/64`. Empty when the text is not a range, or
  /// when the range has no room for a pod.
  public static Optional<AddressPool> parse(String range) {
    int slash = range.indexOf('/');
    if (slash < 0 || !range.matches("[0-9a-fA-F:.]+/[0-9]{1,3}")) {
      return Optional.empty();
    }
    try {
      byte[] base = InetAddress.ofLiteral(range.substring(0, slash)).getAddress();
      int hostBits = base.length * 8 - Integer.parseInt(range.substring(slash + 1));
      if (hostBits < 2 || hostBits > base.length * 8) {
        return Optional.empty();
      }
      return Optional.of(new AddressPool(base, hostBits >= 20 ? MOST : 1 << hostBits));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /// Takes the next free address; empty when none is free. The search starts after the last
  /// address, so that a freed address is reused late and clients with a stale address fail visibly.
  Optional<String> take() {
    int next = taken.nextClearBit(last + 1);
    // The last address of a range is its broadcast address.
    if (next >= size - 1) {
      next = taken.nextClearBit(2);
    }
    if (next >= size - 1) {
      return Optional.empty();
    }
    taken.set(next);
    last = next;
    return Optional.of(address(next));
  }

  /// Frees an address. An address that is not of the pool is a fault of the simulator.
  void release(String address) {
    try {
      byte[] bytes = InetAddress.ofLiteral(address).getAddress();
      taken.clear(new BigInteger(1, bytes).subtract(new BigInteger(1, base)).intValueExact());
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new IllegalStateException("not an address of this pool: " + address, e);
    }
  }

  private String address(int offset) {
    byte[] sum = new BigInteger(1, base).add(BigInteger.valueOf(offset)).toByteArray();
    byte[] bytes = new byte[base.length];
    int length = Math.min(sum.length, bytes.length);
    System.arraycopy(sum, sum.length - length, bytes, bytes.length - length, length);
    try {
      return InetAddress.getByAddress(bytes).getHostAddress();
    } catch (UnknownHostException e) {
      throw new IllegalStateException(Arrays.toString(bytes), e);
    }
  }
}

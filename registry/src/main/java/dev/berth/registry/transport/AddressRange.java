package dev.berth.registry.transport;

/// Ranges of IPv4 addresses such as `10.0.0.0/8`.
final class AddressRange {
  private static final int BITS = 32;

  private AddressRange() {}

  /// False when either cannot be read; names are not looked up.
  static boolean contains(String range, String host) {
    int slash = range.indexOf('/');
    long base = number(range.substring(0, slash));
    long address = number(host);
    String bits = range.substring(slash + 1);
    if (base < 0 || address < 0 || !bits.matches("[0-9]{1,2}") || Integer.parseInt(bits) > BITS) {
      return false;
    }
    int free = BITS - Integer.parseInt(bits);
    return base >> free == address >> free;
  }

  private static long number(String text) {
    String[] parts = text.split("\\.", -1);
    long number = 0;
    for (String part : parts) {
      if (!part.matches("[0-9]{1,3}") || Integer.parseInt(part) > 255) {
        return -1;
      }
      number = number << 8 | Integer.parseInt(part);
    }
    return parts.length == 4 ? number : -1;
  }
}

package dev.berth.server.validation.fields;

import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Pattern;

/// The rules of IP addresses and ranges.
public final class IpRules {
  // The JDK's parser also takes forms with fewer parts, such as `127.1`, which other parsers read
  // otherwise. What one component refuses and another accepts is a hole in a policy.
  private static final Pattern DOTTED_QUAD = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

  private IpRules() {}

  /// Parses an address that is spelled as one; names are never looked up. Zones of IPv6 (`%eth0`)
  /// and brackets are refused, because they are no part of an address.
  public static Optional<InetAddress> parse(String text) {
    if (!text.contains(":") && !DOTTED_QUAD.matcher(text).matches()) {
      return Optional.empty();
    }
    if (text.contains("%") || text.contains("[")) {
      return Optional.empty();
    }
    try {
      return Optional.of(InetAddress.ofLiteral(text));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  static boolean isRange(String text) {
    int slash = text.indexOf('/');
    if (slash < 0 || !text.substring(slash + 1).matches("[0-9]{1,3}")) {
      return false;
    }
    int length = Integer.parseInt(text.substring(slash + 1));
    return parse(text.substring(0, slash))
        .filter(address -> length <= address.getAddress().length * 8)
        .isPresent();
  }

  public static boolean isIpv4(InetAddress address) {
    return address instanceof Inet4Address;
  }

  public static void checkAddress(String text, FieldPath path, FieldErrors errors) {
    if (parse(text).isEmpty()) {
      errors.invalid(path, text, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
    }
  }

  public static void checkRange(String text, FieldPath path, FieldErrors errors) {
    if (!isRange(text)) {
      errors.invalid(path, text, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
    }
  }

  /// Addresses that traffic can be sent to: not loopback, not link-local, not the wildcard.
  public static void checkOrdinary(String text, FieldPath path, FieldErrors errors) {
    Optional<InetAddress> parsed = parse(text);
    if (parsed.isEmpty()) {
      errors.invalid(path, text, "must be a valid IP address");
      return;
    }
    InetAddress address = parsed.get();
    if (address.isAnyLocalAddress()) {
      errors.invalid(path, text, "may not be unspecified (" + text + ")");
    }
    if (address.isLoopbackAddress()) {
      errors.invalid(path, text, "may not be in the loopback range (127.0.0.0/8, ::1/128)");
    }
    if (address.isLinkLocalAddress()) {
      errors.invalid(path, text, "may not be in the link-local range (169.254.0.0/16, fe80::/10)");
    }
    if (isLinkLocalMulticast(address)) {
      errors.invalid(
          path, text, "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
    }
  }

  private static boolean isLinkLocalMulticast(InetAddress address) {
    byte[] bytes = address.getAddress();
    return isIpv4(address)
        ? bytes[0] == (byte) 224 && bytes[1] == 0 && bytes[2] == 0
        : bytes[0] == (byte) 0xff && (bytes[1] & 0x0f) == 2;
  }
}

package dev.berth.server.validation;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Optional;

/// Reads IP addresses; names are never looked up.
final class PodAddresses {
  private PodAddresses() {}

  static Optional<InetAddress> parse(String text) {
    boolean numeric =
        text.indexOf(':') >= 0
            ? text.indexOf('%') < 0 && text.indexOf('[') < 0
            : text.chars().filter(c -> c == '.').count() == 3;
    try {
      return numeric ? Optional.of(InetAddress.ofLiteral(text)) : Optional.empty();
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  static void validate(String text, FieldPath path, FieldErrors errors) {
    if (parse(text).isEmpty()) {
      errors.invalid(path, text, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
    }
  }

  static boolean isVersion4(InetAddress address) {
    return address instanceof Inet4Address;
  }
}

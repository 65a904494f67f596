package dev.berth.server.http.nodeproxy;

import dev.berth.api.GoQuotedString;
import dev.berth.server.errors.ApiException;
import java.net.InetAddress;
import java.util.Set;

/// A pod or node in the path of a request to its proxy: `NAME`, `NAME:PORT` or `SCHEME:NAME:PORT`.
///
/// @param scheme empty for `http`
/// @param port as given, empty for none
record SchemeNamePort(String scheme, String name, String port) {
  private static final Set<String> SCHEMES = Set.of("", "http", "https");

  /// @param what `pod` or `node`, for the error
  static SchemeNamePort parse(String what, String text) {
    String[] parts = text.split(":", -1);
    SchemeNamePort parsed =
        switch (parts.length) {
          case 1 -> new SchemeNamePort("", text, "");
          case 2 -> new SchemeNamePort("", parts[0], parts[1]);
          case 3 -> new SchemeNamePort(parts[0], parts[1], parts[2]);
          default -> new SchemeNamePort("", "", "");
        };
    if (parsed.name.isEmpty() || !SCHEMES.contains(parsed.scheme)) {
      throw ApiException.badRequest(
          "invalid %s request %s".formatted(what, GoQuotedString.quote(text)));
    }
    return parsed;
  }

  boolean isSecure() {
    return scheme.equals("https");
  }

  /// The port as a number; negative when it is not a number.
  int portNumber() {
    try {
      int number = Integer.parseInt(port);
      return number >= 1 && number <= 65_535 ? number : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /// An address in a pod's or node's status must not open what only this machine can reach.
  ///
  /// Nodes write these statuses. Without the check a status with 127.0.0.1 or the link-local
  /// address of a cloud's metadata service would turn the API server into a proxy to it.
  static void requireAllowed(String text) {
    if (!isAllowed(text)) {
      throw ApiException.badRequest("address not allowed");
    }
  }

  private static boolean isAllowed(String text) {
    try {
      InetAddress address = InetAddress.ofLiteral(text);
      return !address.isLoopbackAddress()
          && !address.isLinkLocalAddress()
          && !address.isMulticastAddress()
          && !address.isAnyLocalAddress();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}

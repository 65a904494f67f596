package dev.berth.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.GoString;
import dev.berth.relay.AnyCertificate;
import dev.berth.relay.Backend;
import dev.berth.server.errors.ApiException;
import java.net.InetAddress;
import java.util.Set;

/// A pod in the path of a request to its proxy: `web`, `web:8080`, `web:metrics` or
/// `https:web:8443`.
///
/// @param scheme empty for `http`
/// @param port a number or the name of a container's port; empty for the first one of all
record PodAddress(String scheme, String name, String port) {
  private static final Set<String> SCHEMES = Set.of("", "http", "https");
  private static final int USUAL_PORT = 80;
  private static final int USUAL_SECURE_PORT = 443;

  static PodAddress parse(String text) {
    String[] parts = text.split(":", -1);
    PodAddress address =
        switch (parts.length) {
          case 1 -> new PodAddress("", text, "");
          case 2 -> new PodAddress("", parts[0], parts[1]);
          case 3 -> new PodAddress(parts[0], parts[1], parts[2]);
          default -> new PodAddress("", "", "");
        };
    if (address.name.isEmpty() || !SCHEMES.contains(address.scheme)) {
      throw ApiException.badRequest("invalid pod request %s".formatted(GoString.quote(text)));
    }
    return address;
  }

  Backend of(ObjectNode pod) {
    String address = pod.path("status").path("podIP").asText();
    if (address.isEmpty()) {
      throw ApiException.unavailable("pod %s has no address yet".formatted(name));
    }
    if (!isAllowed(address)) {
      throw ApiException.badRequest("address not allowed");
    }
    return new Backend(address, portOf(pod), isSecure() ? AnyCertificate.context() : null);
  }

  private boolean isSecure() {
    return scheme.equals("https");
  }

  /// A pod's status must not open what only this machine can reach.
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

  private int portOf(ObjectNode pod) {
    for (JsonNode container : pod.path("spec").path("containers")) {
      for (JsonNode offered : container.path("ports")) {
        if (port.isEmpty() || offered.path("name").asText().equals(port)) {
          return offered.path("containerPort").asInt();
        }
      }
    }
    if (port.isEmpty()) {
      return isSecure() ? USUAL_SECURE_PORT : USUAL_PORT;
    }
    try {
      int number = Integer.parseInt(port);
      if (number >= 1 && number <= 65_535) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw ApiException.badRequest(
        "%s is no port of pod %s: it must be the name of a container's port or a number between 1"
                .formatted(GoString.quote(port), name)
            + " and 65535");
  }
}

package dev.berth.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.relay.Backend;
import dev.berth.server.errors.ApiException;
import java.net.InetAddress;

/// A pod in the path of a request to its proxy: `web`, `web:8080` or `http:web:8080`.
///
/// @param port empty for the first one that a container names
record PodAddress(String name, String port) {
  private static final int USUAL_PORT = 80;

  static PodAddress parse(String text) {
    String[] parts = text.split(":", -1);
    return switch (parts.length) {
      case 1 -> new PodAddress(text, "");
      case 2 -> new PodAddress(parts[0], parts[1]);
      case 3 -> {
        if (!parts[0].isEmpty() && !parts[0].equals("http")) {
          throw ApiException.badRequest(
              "pods can be reached by plain HTTP only, not by %s: use kubectl port-forward"
                  .formatted(parts[0]));
        }
        yield new PodAddress(parts[1], parts[2]);
      }
      default -> throw ApiException.badRequest("invalid pod request \"%s\"".formatted(text));
    };
  }

  Backend of(ObjectNode pod) {
    String address = pod.path("status").path("podIP").asText();
    if (address.isEmpty()) {
      throw ApiException.unavailable("pod %s has no address yet".formatted(name));
    }
    if (!isAllowed(address)) {
      throw ApiException.badRequest("address not allowed");
    }
    return new Backend(address, portOf(pod), null);
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
    if (port.isEmpty()) {
      for (JsonNode container : pod.path("spec").path("containers")) {
        if (!container.path("ports").isEmpty()) {
          return container.path("ports").get(0).path("containerPort").asInt();
        }
      }
      return USUAL_PORT;
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
        "\"%s\" is no port of pod %s: it must be a number between 1 and 65535"
            .formatted(port, name));
  }
}

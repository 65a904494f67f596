package dev.berth.server.http.nodeproxy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.GoQuotedString;
import dev.berth.relay.AnyCertificate;
import dev.berth.relay.RelayBackend;
import dev.berth.server.errors.ApiException;

/// The pod in a proxy path: `web`, `web:8080`, `web:metrics` or `https:web:8443`. The default is
/// the pod's first container port.
record PodAddress(SchemeNamePort given) {
  private static final int USUAL_PORT = 80;
  private static final int USUAL_SECURE_PORT = 443;

  static PodAddress parse(String text) {
    return new PodAddress(SchemeNamePort.parse("pod", text));
  }

  String name() {
    return given.name();
  }

  RelayBackend of(ObjectNode pod) {
    String address = pod.path("status").path("podIP").asText();
    if (address.isEmpty()) {
      throw ApiException.unavailable("pod %s has no address yet".formatted(name()));
    }
    SchemeNamePort.requireAllowed(address);
    return new RelayBackend(
        address, portOf(pod), given.isSecure() ? AnyCertificate.context() : null);
  }

  /// The name of a port contains a letter, so a name and a number never collide.
  private int portOf(ObjectNode pod) {
    String port = given.port();
    for (JsonNode container : pod.path("spec").path("containers")) {
      for (JsonNode offered : container.path("ports")) {
        if (port.isEmpty() || offered.path("name").asText().equals(port)) {
          return offered.path("containerPort").asInt();
        }
      }
    }
    if (port.isEmpty()) {
      return given.isSecure() ? USUAL_SECURE_PORT : USUAL_PORT;
    }
    if (given.portNumber() > 0) {
      return given.portNumber();
    }
    throw ApiException.badRequest(
        "%s is no port of pod %s: it must be the name of a container's port or a number between 1"
                .formatted(GoQuotedString.quote(port), name())
            + " and 65535");
  }
}

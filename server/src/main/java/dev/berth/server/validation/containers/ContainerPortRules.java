package dev.berth.server.validation.containers;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.fields.NameRules;
import dev.berth.server.validation.fields.PodFields;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The rules of container ports and of the host ports that they take.
public final class ContainerPortRules {
  static final String PORT_RANGE = "must be between 1 and 65535, inclusive";

  private static final int MAX_PORT = 65535;
  private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");

  private ContainerPortRules() {}

  static boolean isPort(long number) {
    return number >= 1 && number <= MAX_PORT;
  }

  static void validate(JsonNode ports, FieldPath path, FieldErrors errors) {
    Set<String> names = new HashSet<>();
    for (int i = 0; i < ports.size(); i++) {
      port(ports.get(i), names, path.index(i), errors);
    }
  }

  private static void port(JsonNode port, Set<String> names, FieldPath path, FieldErrors errors) {
    String name = PodFields.text(port, "name");
    if (!name.isEmpty()) {
      List<String> reasons = NameRules.portName(name);
      errors.invalid(path.child("name"), name, reasons);
      if (reasons.isEmpty() && !names.add(name)) {
        errors.duplicate(path.child("name"), name);
      }
    }
    long number = PodFields.number(port, "containerPort");
    // Zero is how a missing number decodes, so that both are "required".
    if (number == 0) {
      errors.required(path.child("containerPort"), "");
    } else if (!isPort(number)) {
      errors.invalid(path.child("containerPort"), number, PORT_RANGE);
    }
    long host = PodFields.number(port, "hostPort");
    if (host != 0 && !isPort(host)) {
      errors.invalid(path.child("hostPort"), host, PORT_RANGE);
    }
    String protocol = PodFields.text(port, "protocol");
    if (protocol.isEmpty()) {
      errors.required(path.child("protocol"), "");
    } else if (!PROTOCOLS.contains(protocol)) {
      errors.notSupportedInOrder(path.child("protocol"), protocol, PROTOCOLS);
    }
  }

  /// Checks that no two containers that run at the same time take the same host port, counted by
  /// protocol and address.
  static void hostPorts(JsonNode container, Set<String> taken, FieldPath path, FieldErrors errors) {
    JsonNode ports = container.path("ports");
    for (int i = 0; i < ports.size(); i++) {
      JsonNode port = ports.get(i);
      long host = PodFields.number(port, "hostPort");
      if (host == 0) {
        continue;
      }
      String key =
          PodFields.text(port, "protocol") + "/" + PodFields.text(port, "hostIP") + "/" + host;
      if (!taken.add(key)) {
        errors.duplicate(path.child("ports").index(i).child("hostPort"), key);
      }
    }
  }

  /// Checks that both numbers are equal: in the network of the node a container has no ports of its
  /// own. A template may leave the host port open, since it is filled in for the pod.
  public static void hostNetwork(
      JsonNode containers, boolean isPod, FieldPath path, FieldErrors errors) {
    for (int c = 0; c < containers.size(); c++) {
      JsonNode ports = containers.get(c).path("ports");
      for (int i = 0; i < ports.size(); i++) {
        long host = PodFields.number(ports.get(i), "hostPort");
        long number = PodFields.number(ports.get(i), "containerPort");
        if ((isPod || host != 0) && host != number) {
          errors.invalid(
              path.index(c).child("ports").index(i).child("hostPort"),
              host,
              "must match `containerPort` when `hostNetwork` is true");
        }
      }
    }
  }
}

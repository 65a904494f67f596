package dev.berth.scheduler.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import java.util.TreeSet;

/// A port of the node that a pod takes.
///
/// @param address `0.0.0.0` for all of the node's addresses
public record HostPort(String protocol, String address, int port) implements Comparable<HostPort> {
  private static final String ALL = "0.0.0.0";

  static Set<HostPort> parseAll(JsonNode spec) {
    Set<HostPort> ports = new TreeSet<>();
    addAll(ports, spec.path("containers"));
    for (JsonNode init : spec.path("initContainers")) {
      if (Requests.isSidecar(init)) {
        add(ports, init);
      }
    }
    return ports;
  }

  private static void addAll(Set<HostPort> ports, JsonNode containers) {
    containers.forEach(container -> add(ports, container));
  }

  private static void add(Set<HostPort> ports, JsonNode container) {
    for (JsonNode port : container.path("ports")) {
      int number = port.path("hostPort").asInt();
      if (number > 0) {
        String address = port.path("hostIP").asText();
        ports.add(
            new HostPort(
                port.path("protocol").asText("TCP"), address.isEmpty() ? ALL : address, number));
      }
    }
  }

  public boolean conflictsWith(HostPort other) {
    return port == other.port
        && protocol.equals(other.protocol)
        && (address.equals(ALL) || other.address.equals(ALL) || address.equals(other.address));
  }

  @Override
  public int compareTo(HostPort other) {
    int byPort = Integer.compare(port, other.port);
    if (byPort != 0) {
      return byPort;
    }
    int byProtocol = protocol.compareTo(other.protocol);
    return byProtocol != 0 ? byProtocol : address.compareTo(other.address);
  }
}

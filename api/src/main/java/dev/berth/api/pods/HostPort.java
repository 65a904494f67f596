package dev.berth.api.pods;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/// A host port of a pod. An address and a protocol that are missing in the pod have their defaults
/// here, so that two ports compare by what they take.
///
/// @param address `0.0.0.0` for all of the node's addresses
public record HostPort(String protocol, String address, int port) implements Comparable<HostPort> {
  private static final String ALL = "0.0.0.0";

  public HostPort {
    protocol = protocol.isEmpty() ? "TCP" : protocol;
    address = address.isEmpty() ? ALL : address;
  }

  /// The host ports of containers and sidecars; other init containers end before the containers
  /// start.
  public static Set<HostPort> of(PodView pod) {
    Set<HostPort> ports = new TreeSet<>();
    pod.containers().forEach(container -> ports.addAll(container.hostPorts()));
    pod.initContainers().stream()
        .filter(ContainerView::isSidecar)
        .forEach(container -> ports.addAll(container.hostPorts()));
    return ports;
  }

  static List<HostPort> of(JsonNode container) {
    List<HostPort> ports = new ArrayList<>();
    for (JsonNode port : container.path("ports")) {
      int number = port.path("hostPort").asInt();
      if (number > 0) {
        ports.add(
            new HostPort(port.path("protocol").asText(), port.path("hostIP").asText(), number));
      }
    }
    return ports;
  }

  static List<HostPort> of(Container container) {
    List<HostPort> ports = new ArrayList<>();
    for (ContainerPort port : container.getPorts()) {
      if (port.getHostPort() != null && port.getHostPort() > 0) {
        ports.add(
            new HostPort(
                Objects.requireNonNullElse(port.getProtocol(), ""),
                Objects.requireNonNullElse(port.getHostIP(), ""),
                port.getHostPort()));
      }
    }
    return ports;
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

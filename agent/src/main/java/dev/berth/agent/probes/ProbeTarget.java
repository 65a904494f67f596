package dev.berth.agent.probes;

import dev.berth.agent.probes.ProbeWorkers.Subject;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.GRPCAction;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.TCPSocketAction;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The target of a probe or a hook.
record ProbeTarget(String host, int port) {
  static ProbeTarget of(List<String> addresses, Container container, HTTPGetAction action) {
    return of(addresses, container, action.getHost(), action.getPort());
  }

  static ProbeTarget of(Subject subject, TCPSocketAction action) {
    return of(subject.addresses(), subject.container(), action.getHost(), action.getPort());
  }

  static ProbeTarget of(Subject subject, GRPCAction action) {
    return of(subject.addresses(), subject.container(), null, new IntOrString(action.getPort()));
  }

  private static ProbeTarget of(
      List<String> addresses, Container container, @Nullable String host, IntOrString port) {
    String address =
        host != null && !host.isEmpty()
            ? host
            : addresses.isEmpty() ? "127.0.0.1" : addresses.getFirst();
    return new ProbeTarget(address, number(container, port));
  }

  private static int number(Container container, IntOrString port) {
    Integer number = port.getIntVal();
    if (number != null) {
      return number;
    }
    return container.getPorts().stream()
        .filter(one -> Objects.equals(one.getName(), port.getStrVal()))
        .map(ContainerPort::getContainerPort)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "container \"%s\" has no port named \"%s\""
                        .formatted(container.getName(), port.getStrVal())));
  }

  /// The authority part of a URL.
  String authority() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}

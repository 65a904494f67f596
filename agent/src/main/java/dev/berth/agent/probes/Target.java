package dev.berth.agent.probes;

import dev.berth.agent.probes.Probes.Subject;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.GRPCAction;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.TCPSocketAction;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Where a probe connects to.
record Target(String host, int port) {
  static Target of(Subject subject, HTTPGetAction action) {
    return of(subject, action.getHost(), action.getPort());
  }

  static Target of(Subject subject, TCPSocketAction action) {
    return of(subject, action.getHost(), action.getPort());
  }

  static Target of(Subject subject, GRPCAction action) {
    return of(subject, null, new IntOrString(action.getPort()));
  }

  private static Target of(Subject subject, @Nullable String host, IntOrString port) {
    String address =
        host != null && !host.isEmpty()
            ? host
            : subject.addresses().isEmpty() ? "127.0.0.1" : subject.addresses().getFirst();
    return new Target(address, number(subject.container(), port));
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

  /// As it is written in a URL.
  String authority() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}

package dev.berth.server.defaults;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// Fills in one container of any sort.
final class ContainerDefaults {
  private ContainerDefaults() {}

  static void apply(ObjectNode container) {
    if (PodTree.text(container, "imagePullPolicy").isEmpty()) {
      // A tag that moves must be pulled each time; other tags and digests are expected to stay.
      boolean latest = ContainerImageName.isLatest(PodTree.text(container, "image"));
      container.put("imagePullPolicy", latest ? "Always" : "IfNotPresent");
    }
    PodTree.text(container, "terminationMessagePath", "/dev/termination-log");
    PodTree.text(container, "terminationMessagePolicy", "File");
    if (container.get("resources") instanceof ObjectNode resources) {
      ResourceDefaults.requirements(resources);
    } else {
      container.putObject("resources");
    }
    PodTree.each(container, "ports", port -> PodTree.text(port, "protocol", "TCP"));
    environment(container);
    PodTree.object(container, "livenessProbe", ProbeDefaults::probe);
    PodTree.object(container, "readinessProbe", ProbeDefaults::probe);
    PodTree.object(container, "startupProbe", ProbeDefaults::probe);
    PodTree.object(container, "lifecycle", ProbeDefaults::lifecycle);
  }

  static void environment(ObjectNode container) {
    PodTree.each(
        container,
        "env",
        variable -> PodTree.object(variable, "valueFrom", ContainerDefaults::reference));
  }

  /// Completes a reference to a field of the pod or to a resource of a container.
  static void reference(ObjectNode source) {
    PodTree.object(source, "fieldRef", field -> PodTree.text(field, "apiVersion", "v1"));
    PodTree.object(source, "resourceFieldRef", field -> PodTree.absentText(field, "divisor", "0"));
  }

  /// In the network of the node a container port is a host port.
  static void hostPorts(ObjectNode container) {
    PodTree.each(
        container,
        "ports",
        port -> PodTree.number(port, "hostPort", port.path("containerPort").asInt()));
  }
}

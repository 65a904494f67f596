package dev.berth.server.validation.containers;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoText;
import dev.berth.server.validation.fields.PodContainers;
import dev.berth.server.validation.fields.PodFields;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Warnings about containers.
///
/// Upstream's `GetWarningsForPod`. A warning is for what is valid and most likely a mistake;
/// refusing it would break manifests that worked for years.
public final class ContainerWarnings {
  private final FieldPath specPath;
  private final Consumer<String> warnings;

  public ContainerWarnings(FieldPath specPath, Consumer<String> warnings) {
    this.specPath = specPath;
    this.warnings = warnings;
  }

  private record Port(FieldPath path, String hostAddress, long host) {}

  public void warn(JsonNode spec) {
    PodContainers.visit(
        spec,
        specPath,
        (container, path) -> {
          FieldPath resources = path.child("resources");
          JsonNode amounts = container.path("resources");
          fractions(amounts.path("limits"), resources.child("limits"));
          fractions(amounts.path("requests"), resources.child("requests"));
          variables(container.path("env"), path.child("env"));
        });
    Map<String, List<Port>> ports = new HashMap<>();
    PodContainers.visit(
        spec, specPath, (container, path) -> ports(container.path("ports"), path, ports));
  }

  /// There are no parts of a byte.
  public void fractions(JsonNode amounts, FieldPath at) {
    for (String resource : new String[] {"memory", "ephemeral-storage"}) {
      String amount = PodFields.text(amounts, resource);
      // `100m` of memory is a tenth of a byte; the author meant megabytes.
      if (amount.endsWith("m")) {
        warnings.accept(
            "%s: fractional byte value %s is invalid, must be an integer"
                .formatted(at.key(resource), GoText.quote(amount)));
      }
    }
  }

  private void variables(JsonNode variables, FieldPath path) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < variables.size(); i++) {
      JsonNode variable = variables.get(i);
      String name = PodFields.text(variable, "name");
      if (!seen.add(name) && !buildsOn(name, variable)) {
        warnings.accept(
            "%s: hides previous definition of %s, which may be dropped when using apply"
                .formatted(path.index(i), GoText.quote(name)));
      }
    }
  }

  /// Returns whether a variable uses its own earlier definition: `X=$(X):more` needs the first X.
  private static boolean buildsOn(String name, JsonNode variable) {
    String reference = "$(" + name + ")";
    String value = PodFields.text(variable, "value");
    return !PodFields.has(variable, "valueFrom")
        && !value.equals(reference)
        && value.contains(reference);
  }

  private void ports(JsonNode ports, FieldPath container, Map<String, List<Port>> taken) {
    for (int i = 0; i < ports.size(); i++) {
      JsonNode node = ports.get(i);
      Port port =
          new Port(
              container.child("ports").index(i),
              PodFields.text(node, "hostIP"),
              PodFields.number(node, "hostPort"));
      if (!port.hostAddress().isEmpty() && port.host() == 0) {
        warnings.accept(
            "%s: hostIP set without hostPort: {Name:%s HostPort:0 ContainerPort:%d Protocol:%s HostIP:%s}"
                .formatted(
                    port.path(),
                    PodFields.text(node, "name"),
                    PodFields.number(node, "containerPort"),
                    PodFields.text(node, "protocol"),
                    port.hostAddress()));
      }
      String key = PodFields.number(node, "containerPort") + "/" + PodFields.text(node, "protocol");
      List<Port> others = taken.computeIfAbsent(key, _ -> new ArrayList<>());
      others.forEach(other -> overlap(port, other));
      others.add(port);
    }
  }

  /// Two definitions with and without an address look different and may still collide on the node.
  private void overlap(Port port, Port other) {
    boolean onlyOneAddress = port.hostAddress().isEmpty() != other.hostAddress().isEmpty();
    String how;
    if (port.hostAddress().equals(other.hostAddress()) && port.host() == other.host()) {
      how = "duplicate";
    } else if (port.host() == 0 || other.host() == 0) {
      how = "overlapping";
    } else if (port.host() == other.host() && onlyOneAddress) {
      how = "dangerously ambiguous";
    } else {
      return;
    }
    warnings.accept(port.path() + ": " + how + " port definition with " + other.path());
  }
}

package dev.berth.server.validation.services;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldError;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoComposites;
import dev.berth.server.validation.fields.CommonChecks;
import dev.berth.server.validation.fields.NameRules;
import java.util.HashSet;
import java.util.Set;

/// The rules of a service's ports.
final class ServicePortRules {
  private static final FieldPath PORTS = FieldPath.of("spec").child("ports");

  /// An external IP with this port would give the outside access to kubelets.
  private static final int KUBELET_PORT = 10250;

  private ServicePortRules() {}

  static void check(JsonNode spec, FieldErrors errors) {
    JsonNode ports = spec.path("ports");
    Set<String> names = new HashSet<>();
    for (int i = 0; i < ports.size(); i++) {
      checkPort(ports.get(i), ports.size() > 1, names, PORTS.index(i), errors);
    }
  }

  private static void checkPort(
      JsonNode port, boolean nameNeeded, Set<String> names, FieldPath path, FieldErrors errors) {
    String name = port.path("name").asText();
    // Names distinguish the ports in Endpoints.
    if (nameNeeded && name.isEmpty()) {
      errors.required(path.child("name"), "");
    } else if (!name.isEmpty()) {
      errors.invalid(path.child("name"), name, NameRules.dns1123Label(name));
      if (!names.add(name)) {
        errors.duplicate(path.child("name"), name);
      }
    }
    CommonChecks.port(port.path("port"), path.child("port"), errors);
    CommonChecks.oneOf(
        port.path("protocol").asText(),
        EndpointsValidation.PROTOCOLS,
        path.child("protocol"),
        errors);
    checkTarget(port.path("targetPort"), path.child("targetPort"), errors);
    EndpointsValidation.checkApplicationProtocol(port, path, errors);
  }

  private static void checkTarget(JsonNode target, FieldPath path, FieldErrors errors) {
    if (target.isTextual()) {
      errors.invalid(path, target.asText(), NameRules.portName(target.asText()));
    } else {
      CommonChecks.port(target, path, errors);
    }
  }

  /// Checks that an external address does not lead to the port of node agents: load balancers that
  /// open too much would give the outside access to them.
  static void checkExposed(JsonNode spec, FieldErrors errors) {
    JsonNode ports = spec.path("ports");
    for (int i = 0; i < ports.size(); i++) {
      if (ports.get(i).path("port").asInt() == KUBELET_PORT) {
        errors.invalid(
            PORTS.index(i),
            KUBELET_PORT,
            "may not expose port 10250 externally since it is used by kubelet");
      }
    }
  }

  /// The same port may be used once per protocol.
  static void checkNodePorts(JsonNode spec, FieldErrors errors) {
    JsonNode ports = spec.path("ports");
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < ports.size(); i++) {
      int nodePort = ports.get(i).path("nodePort").asInt();
      FieldPath path = PORTS.index(i).child("nodePort");
      if (nodePort != 0 && spec.path("type").asText().equals("ClusterIP")) {
        errors.forbidden(path, "may not be used when `type` is 'ClusterIP'");
      }
      if (nodePort != 0 && !seen.add(ports.get(i).path("protocol").asText() + nodePort)) {
        errors.duplicate(path, ports.get(i).path("nodePort"));
      }
    }
  }

  static void checkDuplicates(JsonNode spec, FieldErrors errors) {
    JsonNode ports = spec.path("ports");
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < ports.size(); i++) {
      String protocol = GoComposites.text(ports.get(i), "protocol");
      int port = ports.get(i).path("port").asInt();
      if (!seen.add(protocol + port)) {
        errors.add(
            FieldError.Kind.DUPLICATE,
            PORTS.index(i),
            ("Duplicate value: core.ServicePort{Name:\"\", Protocol:%s, AppProtocol:(*string)(nil),"
                    + " Port:%d, TargetPort:intstr.IntOrString{Type:0, IntVal:0, StrVal:\"\"},"
                    + " NodePort:0}")
                .formatted(protocol, port));
      }
    }
  }
}

package dev.berth.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.resources.ObjectStore;
import dev.berth.server.resources.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Logs, exec, attach and port-forward: checked here, served by the agent of the pod's node.
final class PodStreams {
  private final ObjectStore store;

  PodStreams(ObjectStore store) {
    this.store = store;
  }

  void serve(Exchange exchange, Target target) throws IOException {
    if (!target.kind().names().kind().equals("Pod")) {
      throw noAddresses();
    }
    ObjectNode pod = store.get(target.kind(), target.namespace(), target.name()).value().tree();
    if (!target.subresource().equals("portforward") && !target.subresource().equals("proxy")) {
      checkContainer(target, pod, exchange.query().first("container"));
    }
    if (pod.path("spec").path("nodeName").asText().isEmpty()) {
      if (target.subresource().equals("log")) {
        exchange.send(204, "", new byte[0]);
        return;
      }
      throw ApiException.badRequest(
          "pod %s does not have a host assigned".formatted(target.name()));
    }
    throw noAddresses();
  }

  private static void checkContainer(Target target, ObjectNode pod, String wanted) {
    List<String> names = new ArrayList<>();
    for (String list : List.of("containers", "initContainers", "ephemeralContainers")) {
      for (JsonNode container : pod.path("spec").path(list)) {
        names.add(container.path("name").asText());
      }
    }
    if (wanted.isEmpty() && pod.path("spec").path("containers").size() > 1) {
      throw ApiException.badRequest(
          "a container name must be specified for pod %s, choose one of: [%s]"
              .formatted(target.name(), String.join(" ", names)));
    }
    if (!wanted.isEmpty() && !names.contains(wanted)) {
      throw ApiException.badRequest(
          "container %s is not valid for pod %s".formatted(wanted, target.name()));
    }
  }

  /// No node of this release serves streams yet, which is what upstream says of a node without
  /// addresses.
  private static ApiException noAddresses() {
    return ApiException.unclassified("no preferred addresses found; known addresses: []");
  }
}

package dev.berth.server.defaults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.PodWorkload;

/// Sets the defaults of pods. The order matters: requests are taken from limits before the requests
/// of the pod are summed up, and host ports need `hostNetwork`.
public final class PodDefaults implements ObjectDefaults {
  @Override
  public void apply(ObjectNode pod) {
    ObjectNode spec =
        pod.get("spec") instanceof ObjectNode present ? present : pod.putObject("spec");
    PodSpecDefaults.apply(spec);
    PodTree.each(spec, "containers", ResourceDefaults::requestsFromLimits);
    PodTree.each(spec, "initContainers", ResourceDefaults::requestsFromLimits);
    PodWorkload.in(spec).forEach(one -> ResourceDefaults.requestsFromLimits(one.tree()));
    ResourceDefaults.podRequests(spec);
    if (!spec.hasNonNull("enableServiceLinks")) {
      spec.put("enableServiceLinks", true);
    }
    if (spec.path("hostNetwork").asBoolean()) {
      PodTree.each(spec, "containers", ContainerDefaults::hostPorts);
      PodTree.each(spec, "initContainers", ContainerDefaults::hostPorts);
    }
    PodTree.object(pod, "status", PodDefaults::status);
  }

  private static void status(ObjectNode status) {
    addresses(status);
    PodTree.each(status, "initContainerStatuses", PodDefaults::containerStatus);
    PodTree.each(status, "containerStatuses", PodDefaults::containerStatus);
    PodTree.each(status, "ephemeralContainerStatuses", PodDefaults::containerStatus);
  }

  /// `podIP` is the first of `podIPs`; where they differ, the single one is meant.
  private static void addresses(ObjectNode status) {
    String single = PodTree.text(status, "podIP");
    JsonNode list = status.path("podIPs");
    String first = PodTree.text(list.path(0), "ip");
    if (single.isEmpty() && !first.isEmpty()) {
      status.put("podIP", first);
    } else if (!single.equals(first)) {
      ArrayNode addresses = status.putArray("podIPs");
      addresses.addObject().put("ip", single);
    }
  }

  private static void containerStatus(ObjectNode status) {
    PodTree.object(status, "allocatedResources", ResourceDefaults::roundUp);
    PodTree.object(status, "resources", ResourceDefaults::requirements);
  }
}

package dev.berth.agent.node;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.runtimes.RuntimeService;
import dev.berth.agent.runtimes.RuntimeSnapshot;
import dev.berth.agent.runtimes.health.DiscoveredService;
import dev.berth.agent.runtimes.health.RuntimeVersion;
import dev.berth.agent.runtimes.registration.HandlerIsolation;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.api.pods.WorkloadType;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The runtime services in the Node object (docs/runtime-services-contract.md).
record RuntimeReport(RuntimeSnapshot runtimes) {
  static final String ANNOTATION = "berth.dev/runtime-services";
  static final String LABEL = "runtime.berth.dev/";

  /// The value of the annotation that links handlers to services.
  String annotation() {
    ObjectNode services = JsonNodeFactory.instance.objectNode();
    for (RuntimeService service : runtimes.services()) {
      ObjectNode entry = services.putObject(service.name());
      entry.put("workloadType", service.workloadType().toString());
      ArrayNode handlers = entry.putArray("handlers");
      service.handlers().list().stream()
          .map(ServiceHandler::name)
          .filter(name -> !name.isEmpty())
          .sorted()
          .forEach(handlers::add);
      ObjectNode isolation = JsonNodeFactory.instance.objectNode();
      sorted(service).stream()
          .filter(handler -> handler.isolation() != HandlerIsolation.UNKNOWN)
          .filter(handler -> !handler.name().isEmpty())
          .forEach(handler -> isolation.put(handler.name(), handler.isolation().word()));
      if (!isolation.isEmpty()) {
        entry.set("isolation", isolation);
      }
      ObjectNode platforms = JsonNodeFactory.instance.objectNode();
      for (ServiceHandler handler : sorted(service)) {
        if (handler.platform() != null) {
          platforms.put(handler.name(), handler.platform().toString());
        }
      }
      if (!platforms.isEmpty()) {
        entry.set("platforms", platforms);
      }
      entry.put("default", service.isDefault());
    }
    return services.toString();
  }

  private static List<ServiceHandler> sorted(RuntimeService service) {
    return service.handlers().list().stream()
        .sorted(Comparator.comparing(ServiceHandler::name))
        .toList();
  }

  /// One label per service; its value is the workload type.
  Map<String, String> labels() {
    Map<String, String> labels = new TreeMap<>();
    runtimes
        .services()
        .forEach(service -> labels.put(LABEL + service.name(), service.workloadType().toString()));
    return labels;
  }

  /// Every handler once. A handler that several services offer has only the features that all of
  /// them have.
  ArrayNode handlers() {
    Map<String, ServiceHandler> byName = new TreeMap<>();
    for (RuntimeService service : runtimes.services()) {
      service.handlers().list().forEach(one -> byName.merge(one.name(), one, RuntimeReport::both));
    }
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    for (ServiceHandler handler : byName.values()) {
      ObjectNode features = all.addObject().put("name", handler.name()).putObject("features");
      features.put("recursiveReadOnlyMounts", handler.recursiveReadOnlyMounts());
      features.put("userNamespaces", handler.userNamespaces());
    }
    return all;
  }

  private static ServiceHandler both(ServiceHandler one, ServiceHandler other) {
    return new ServiceHandler(
        one.name(),
        one.recursiveReadOnlyMounts() && other.recursiveReadOnlyMounts(),
        one.userNamespaces() && other.userNamespaces());
  }

  /// The version of the default service, containers before other types: `containerd://1.6.20`.
  String version() {
    return Arrays.stream(WorkloadType.values())
        .flatMap(type -> runtimes.defaultOf(type).stream())
        .findFirst()
        .flatMap(RuntimeService::version)
        .map(RuntimeVersion::toString)
        .orElse("Unknown");
  }

  boolean supplementalGroupsPolicy() {
    DiscoveredService discovered =
        runtimes.defaultOf(WorkloadType.DEFAULT).map(RuntimeService::discovered).orElse(null);
    return discovered != null && discovered.supplementalGroupsPolicy();
  }
}

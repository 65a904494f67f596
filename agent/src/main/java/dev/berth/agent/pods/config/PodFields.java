package dev.berth.agent.pods.config;

import dev.berth.api.GoQuotedString;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceFieldSelector;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/// Downward API: a pod's fields, its addresses and its containers' resources.
///
/// @param podAddresses those of the sandbox, or of the node for a pod in the host's network
public record PodFields(NodeSettings node, List<String> podAddresses) {
  public PodFields {
    podAddresses = List.copyOf(podAddresses);
  }

  public String field(Pod pod, String path) {
    var metadata = pod.getMetadata();
    String key = subscript(path);
    if (key != null) {
      Map<String, String> map =
          path.startsWith("metadata.labels")
              ? PodLabels.orEmpty(metadata.getLabels())
              : PodLabels.orEmpty(metadata.getAnnotations());
      return map.getOrDefault(key, "");
    }
    return switch (path) {
      case "metadata.name" -> metadata.getName();
      case "metadata.namespace" -> metadata.getNamespace();
      case "metadata.uid" -> metadata.getUid();
      case "metadata.labels" -> lines(PodLabels.orEmpty(metadata.getLabels()));
      case "metadata.annotations" -> lines(PodLabels.orEmpty(metadata.getAnnotations()));
      case "spec.nodeName" -> node.name();
      case "spec.serviceAccountName" ->
          Objects.requireNonNullElse(pod.getSpec().getServiceAccountName(), "");
      case "status.hostIP" -> node.addresses().isEmpty() ? "" : node.addresses().getFirst();
      case "status.hostIPs" -> String.join(",", node.addresses());
      case "status.podIP" -> podAddresses.isEmpty() ? "" : podAddresses.getFirst();
      case "status.podIPs" -> String.join(",", podAddresses);
      default -> throw new ConfigException("unsupported fieldPath: " + path);
    };
  }

  /// The key in `metadata.labels['key']`.
  private static @org.jspecify.annotations.Nullable String subscript(String path) {
    int open = path.indexOf("['");
    return open > 0 && path.endsWith("']") ? path.substring(open + 2, path.length() - 2) : null;
  }

  private static String lines(Map<String, String> map) {
    return map.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(entry -> entry.getKey() + "=" + GoQuotedString.quote(entry.getValue()))
        .collect(java.util.stream.Collectors.joining("\n"));
  }

  /// A resource in units of the divisor, rounded up. A limit that is not set is the node's
  /// allocatable amount.
  public String resource(Pod pod, Container container, ResourceFieldSelector selector) {
    Container meant = named(pod, container, selector.getContainerName());
    String[] path = selector.getResource().split("\\.", 2);
    if (path.length < 2 || !List.of("limits", "requests").contains(path[0])) {
      throw new ConfigException("unsupported container resource: " + selector.getResource());
    }
    ResourceRequirements resources =
        Objects.requireNonNullElseGet(meant.getResources(), ResourceRequirements::new);
    boolean limit = path[0].equals("limits");
    Map<String, Quantity> amounts = limit ? resources.getLimits() : resources.getRequests();
    BigDecimal amount = QuantityReader.of(amounts, path[1]).amount();
    if (limit && amount.signum() == 0) {
      amount = ofNode(path[1]);
    }
    BigDecimal divisor = QuantityReader.of(selector.getDivisor()).amount();
    return amount
        .divide(divisor.signum() == 0 ? BigDecimal.ONE : divisor, 0, RoundingMode.UP)
        .toBigInteger()
        .toString();
  }

  private BigDecimal ofNode(String resource) {
    return switch (resource) {
      case "cpu" -> BigDecimal.valueOf(node.allocatable().cpuMilli(), 3);
      case "memory" -> BigDecimal.valueOf(node.allocatable().memoryBytes());
      case "ephemeral-storage" -> BigDecimal.valueOf(node.allocatable().ephemeralStorageBytes());
      default -> BigDecimal.ZERO;
    };
  }

  private static Container named(
      Pod pod, Container own, @org.jspecify.annotations.Nullable String name) {
    if (name == null || name.isEmpty() || name.equals(own.getName())) {
      return own;
    }
    return Stream.concat(
            pod.getSpec().getContainers().stream(), pod.getSpec().getInitContainers().stream())
        .filter(container -> container.getName().equals(name))
        .findFirst()
        .orElseThrow(() -> new ConfigException("container %s not found".formatted(name)));
  }
}

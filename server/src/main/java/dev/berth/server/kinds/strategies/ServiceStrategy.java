package dev.berth.server.kinds.strategies;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.kinds.KindStrategy;
import java.util.ArrayList;
import java.util.List;

/// Completes the address fields of a Service; no address or node port is ever allocated, because
/// Berth does not carry the traffic.
///
/// Addresses that a client sets are stored, since another program may carry the traffic.
public final class ServiceStrategy implements KindStrategy {
  private static final List<String> ADDRESS_FIELDS =
      List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy");

  private static final List<String> LOAD_BALANCER_FIELDS =
      List.of("allocateLoadBalancerNodePorts", "loadBalancerClass", "healthCheckNodePort");

  @Override
  public void prepareCreate(ObjectNode service) {
    ObjectNode spec = service.withObjectProperty("spec");
    completeAddresses(spec);
    if (spec.path("type").asText().equals("ExternalName")) {
      return;
    }
    if (!spec.hasNonNull("ipFamilyPolicy")) {
      boolean unselected =
          spec.path("clusterIP").asText().equals("None") && spec.path("selector").isEmpty();
      spec.put("ipFamilyPolicy", unselected ? "RequireDualStack" : "SingleStack");
    }
    if (spec.path("ipFamilies").isEmpty()) {
      String address = spec.path("clusterIP").asText();
      spec.putArray("ipFamilies").add(address.contains(":") ? "IPv6" : "IPv4");
    }
  }

  /// Fills `clusterIPs` from `clusterIP` for older clients. The reverse is not done; validation
  /// reports it.
  private static void completeAddresses(ObjectNode spec) {
    String single = spec.path("clusterIP").asText();
    if (!single.isEmpty() && spec.path("clusterIPs").isEmpty()) {
      spec.putArray("clusterIPs").add(single);
    }
  }

  /// An update without the fields that the server filled in keeps them; fields of the old type are
  /// removed with the type unless the client sets them.
  @Override
  public void prepareUpdate(ObjectNode service, ObjectNode old) {
    ObjectNode spec = service.withObjectProperty("spec");
    JsonNode before = old.path("spec");
    String type = spec.path("type").asText();
    if (type.equals("ExternalName")) {
      ADDRESS_FIELDS.forEach(field -> dropIfSame(field, spec, before));
    } else if (!before.path("type").asText().equals("ExternalName")) {
      followSingle(spec, before);
      for (String field : ADDRESS_FIELDS) {
        if (spec.path(field).isEmpty() && spec.path(field).asText().isEmpty()) {
          CommonStrategy.keep(field, spec, before);
        }
      }
    }
    dropOfOldType(spec, before, type);
    if (!type.equals("LoadBalancer")) {
      service.withObjectProperty("status").putObject("loadBalancer");
    }
    prepareCreate(service);
  }

  /// An older client changes only `clusterIP`; the list follows.
  private static void followSingle(ObjectNode spec, JsonNode before) {
    JsonNode single = spec.path("clusterIP");
    if (!single.asText().isEmpty()
        && !single.equals(before.path("clusterIP"))
        && spec.path("clusterIPs").equals(before.path("clusterIPs"))
        && spec.path("clusterIPs") instanceof ArrayNode list
        && !list.isEmpty()) {
      list.set(0, single);
    }
  }

  private static void dropOfOldType(ObjectNode spec, JsonNode before, String type) {
    boolean balanced = type.equals("LoadBalancer");
    boolean onNodes = type.equals("NodePort");
    if (!balanced) {
      LOAD_BALANCER_FIELDS.forEach(field -> dropIfSame(field, spec, before));
    }
    if (!balanced && !onNodes && spec.path("externalIPs").isEmpty()) {
      dropIfSame("externalTrafficPolicy", spec, before);
    }
    boolean same = type.equals(before.path("type").asText());
    if (!same && !balanced && !onNodes && nodePorts(spec).equals(nodePorts(before))) {
      for (JsonNode port : spec.path("ports")) {
        ((ObjectNode) port).remove("nodePort");
      }
    }
  }

  private static List<Integer> nodePorts(JsonNode spec) {
    List<Integer> ports = new ArrayList<>();
    spec.path("ports").forEach(port -> ports.add(port.path("nodePort").asInt()));
    return ports;
  }

  private static void dropIfSame(String field, ObjectNode spec, JsonNode before) {
    if (spec.path(field).equals(before.path(field))) {
      spec.remove(field);
    }
  }
}

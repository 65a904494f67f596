package dev.berth.server.kinds.strategies;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.kinds.KindStrategy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Stores subsets in canonical form: each port once, sorted addresses, and ports with the same
/// addresses together.
///
/// Controllers write equal endpoints in different orders; in canonical form such a write changes
/// nothing and wakes no watcher.
public final class EndpointsStrategy implements KindStrategy {
  private record Address(JsonNode node, boolean ready) {}

  @Override
  public void canonicalize(ObjectNode endpoints) {
    if (!(endpoints.get("subsets") instanceof ArrayNode subsets)) {
      return;
    }
    Map<JsonNode, Map<String, Address>> byPort = new LinkedHashMap<>();
    List<JsonNode> portless = new ArrayList<>();
    for (JsonNode subset : subsets) {
      if (subset.path("ports").isEmpty()) {
        portless.add(subset);
      }
      for (JsonNode port : subset.path("ports")) {
        Map<String, Address> addresses = byPort.computeIfAbsent(port, _ -> new TreeMap<>());
        collect(subset.path("addresses"), true, addresses);
        collect(subset.path("notReadyAddresses"), false, addresses);
      }
    }
    subsets.removeAll();
    byAddresses(byPort).forEach((addresses, ports) -> write(subsets, addresses, ports));
    portless.forEach(subsets::add);
  }

  /// An address that is ready in one subset and not in another is not ready.
  private static void collect(JsonNode list, boolean ready, Map<String, Address> addresses) {
    for (JsonNode address : list) {
      String key =
          address.path("ip").asText() + "\n" + address.path("targetRef").path("uid").asText();
      Address known = addresses.get(key);
      if (known == null) {
        addresses.put(key, new Address(address, ready));
      } else if (known.ready()) {
        addresses.put(key, new Address(known.node(), ready));
      }
    }
  }

  private static Map<List<Address>, List<JsonNode>> byAddresses(
      Map<JsonNode, Map<String, Address>> byPort) {
    Map<List<Address>, List<JsonNode>> groups = new LinkedHashMap<>();
    byPort.forEach(
        (port, addresses) ->
            groups
                .computeIfAbsent(List.copyOf(addresses.values()), _ -> new ArrayList<>())
                .add(port));
    return groups;
  }

  private static void write(ArrayNode subsets, List<Address> addresses, List<JsonNode> ports) {
    ObjectNode subset = subsets.addObject();
    for (Address address : addresses) {
      subset
          .withArrayProperty(address.ready() ? "addresses" : "notReadyAddresses")
          .add(address.node());
    }
    subset.putArray("ports").addAll(ports);
  }
}

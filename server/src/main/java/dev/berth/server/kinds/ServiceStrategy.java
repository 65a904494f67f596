package dev.berth.server.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/// Completes what concerns addresses; no address or node port is ever allocated, because nothing
/// here would carry the traffic.
final class ServiceStrategy implements Strategy {
  private static final List<String> ADDRESS_FIELDS =
      List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy");

  @Override
  public void prepareCreate(ObjectNode service) {
    ObjectNode spec = service.withObjectProperty("spec");
    if (spec.path("type").asText().equals("ExternalName")) {
      return;
    }
    completeAddresses(spec);
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

  /// `clusterIP` is the first of `clusterIPs`.
  private static void completeAddresses(ObjectNode spec) {
    String single = spec.path("clusterIP").asText();
    JsonNode list = spec.path("clusterIPs");
    if (!single.isEmpty() && list.isEmpty()) {
      spec.putArray("clusterIPs").add(single);
    } else if (single.isEmpty() && !list.isEmpty()) {
      spec.set("clusterIP", list.get(0));
    }
  }

  /// A client that leaves out what the server filled in keeps it.
  @Override
  public void prepareUpdate(ObjectNode service, ObjectNode old) {
    ObjectNode spec = service.withObjectProperty("spec");
    boolean named = spec.path("type").asText().equals("ExternalName");
    boolean wasNamed = old.path("spec").path("type").asText().equals("ExternalName");
    if (named && !wasNamed) {
      ADDRESS_FIELDS.stream()
          .filter(field -> spec.path(field).equals(old.path("spec").path(field)))
          .forEach(spec::remove);
    } else if (!named && !wasNamed) {
      for (String field : ADDRESS_FIELDS) {
        if (spec.path(field).isEmpty() && spec.path(field).asText().isEmpty()) {
          CommonStrategy.keep(field, spec, old.path("spec"));
        }
      }
    }
    prepareCreate(service);
  }
}

package dev.berth.server.validation.services;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.fields.CommonChecks;
import dev.berth.server.validation.fields.IpRules;
import dev.berth.server.validation.fields.NameRules;
import java.util.List;

/// The rules of Endpoints.
///
/// Addresses of the machine itself and of links are refused: an endpoint with such an address would
/// lead callers to their own machine.
///
/// Upstream's `ValidateEndpointsCreate`. On update upstream spares unchanged subsets from the check
/// of addresses; here the rules are the same for both.
public final class EndpointsValidation implements KindValidator {
  static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");

  @Override
  public void onCreate(ObjectNode endpoints, FieldErrors errors) {
    int i = 0;
    for (JsonNode subset : endpoints.path("subsets")) {
      checkSubset(subset, FieldPath.of("subsets").index(i++), errors);
    }
  }

  private static void checkSubset(JsonNode subset, FieldPath path, FieldErrors errors) {
    if (subset.path("addresses").isEmpty() && subset.path("notReadyAddresses").isEmpty()) {
      errors.required(path, "must specify `addresses` or `notReadyAddresses`");
    }
    for (String list : new String[] {"addresses", "notReadyAddresses"}) {
      int i = 0;
      for (JsonNode address : subset.path(list)) {
        checkAddress(address, path.child(list).index(i++), errors);
      }
    }
    JsonNode ports = subset.path("ports");
    for (int i = 0; i < ports.size(); i++) {
      checkPort(ports.get(i), ports.size() > 1, path.child("ports").index(i), errors);
    }
  }

  private static void checkAddress(JsonNode address, FieldPath path, FieldErrors errors) {
    String ip = address.path("ip").asText();
    IpRules.checkAddress(ip, path.child("ip"), errors);
    String hostname = address.path("hostname").asText();
    if (!hostname.isEmpty()) {
      errors.invalid(path.child("hostname"), hostname, NameRules.dns1123Label(hostname));
    }
    if (address.hasNonNull("nodeName")) {
      String node = address.path("nodeName").asText();
      errors.invalid(path.child("nodeName"), node, NameRules.dns1123Subdomain(node));
    }
    IpRules.checkOrdinary(ip, path.child("ip"), errors);
  }

  private static void checkPort(
      JsonNode port, boolean nameNeeded, FieldPath path, FieldErrors errors) {
    String name = port.path("name").asText();
    if (nameNeeded && name.isEmpty()) {
      errors.required(path.child("name"), "");
    } else if (!name.isEmpty()) {
      errors.invalid(path.child("name"), name, NameRules.dns1123Label(name));
    }
    CommonChecks.port(port.path("port"), path.child("port"), errors);
    CommonChecks.oneOf(port.path("protocol").asText(), PROTOCOLS, path.child("protocol"), errors);
    checkApplicationProtocol(port, path, errors);
  }

  static void checkApplicationProtocol(JsonNode port, FieldPath path, FieldErrors errors) {
    if (port.hasNonNull("appProtocol")) {
      String protocol = port.path("appProtocol").asText();
      errors.invalid(path.child("appProtocol"), protocol, NameRules.qualifiedName(protocol));
    }
  }

  @Override
  public void onUpdate(ObjectNode endpoints, ObjectNode old, FieldErrors errors) {
    onCreate(endpoints, errors);
  }
}

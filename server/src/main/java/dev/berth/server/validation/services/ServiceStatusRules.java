package dev.berth.server.validation.services;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.fields.IpRules;
import dev.berth.server.validation.fields.NameRules;
import java.util.List;

/// The rules of what a load balancer reports about a service.
final class ServiceStatusRules {
  private static final FieldPath INGRESS =
      FieldPath.of("status").child("loadBalancer").child("ingress");
  // KEP-1860: whether the nodes may answer for the address themselves.
  private static final List<String> MODES = List.of("Proxy", "VIP");

  private ServiceStatusRules() {}

  static void check(JsonNode service, FieldErrors errors) {
    JsonNode list = service.path("status").path("loadBalancer").path("ingress");
    boolean balanced = service.path("spec").path("type").asText().equals("LoadBalancer");
    if (!balanced && !list.isEmpty()) {
      errors.forbidden(INGRESS, "may only be used when `spec.type` is 'LoadBalancer'");
      return;
    }
    for (int i = 0; i < list.size(); i++) {
      checkAddress(list.get(i), INGRESS.index(i), errors);
      checkHostname(list.get(i).path("hostname").asText(), INGRESS.index(i), errors);
    }
  }

  private static void checkAddress(JsonNode ingress, FieldPath path, FieldErrors errors) {
    String address = ingress.path("ip").asText();
    if (!address.isEmpty() && IpRules.parse(address).isEmpty()) {
      errors.invalid(path.child("ip"), address, "must be a valid IP address");
    }
    FieldPath modePath = path.child("ipMode");
    String mode = ingress.path("ipMode").asText();
    if (!ingress.hasNonNull("ipMode")) {
      if (!address.isEmpty()) {
        errors.required(modePath, "must be specified when `ip` is set");
      }
    } else if (address.isEmpty()) {
      errors.forbidden(modePath, "may not be specified when `ip` is not set");
    } else if (!MODES.contains(mode)) {
      errors.notSupportedInOrder(modePath, mode, MODES);
    }
  }

  private static void checkHostname(String hostname, FieldPath path, FieldErrors errors) {
    if (hostname.isEmpty()) {
      return;
    }
    errors.invalid(path.child("hostname"), hostname, NameRules.dns1123Subdomain(hostname));
    if (IpRules.parse(hostname).isPresent()) {
      errors.invalid(path.child("hostname"), hostname, "must be a DNS name, not an IP address");
    }
  }
}

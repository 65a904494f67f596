package dev.berth.server.validation.services;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoComposites;
import dev.berth.server.validation.GoText;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.fields.CommonChecks;
import dev.berth.server.validation.fields.IpRules;
import dev.berth.server.validation.fields.NameRules;
import dev.berth.server.validation.fields.PodFields;
import java.util.List;

/// The rules of Service. Addresses are stored as given: nothing allocates them here.
///
/// The rules hold although nothing serves the Service here: a manifest that Berth accepts must work
/// at other clusters.
///
/// Upstream's `ValidateService`. Traffic policies are KEP-2086, load balancer classes KEP-1959, the
/// distribution of traffic is KEP-4444.
public final class ServiceValidation implements KindValidator {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final List<String> TYPES =
      List.of("ClusterIP", "ExternalName", "LoadBalancer", "NodePort");
  private static final List<String> TRAFFIC = List.of("Cluster", "Local");
  private static final String NOT_FOR_EXTERNAL_NAME = "may not be set for ExternalName services";
  private static final String ONLY_LOAD_BALANCER = "may only be used when `type` is 'LoadBalancer'";
  private static final String FIXED = "may not change once set";
  private static final String PREFER_CLOSE = "PreferClose";
  // A day, in seconds.
  private static final int LONGEST_AFFINITY = 86400;

  @Override
  public void onCreate(ObjectNode service, FieldErrors errors) {
    JsonNode spec = service.path("spec");
    String type = spec.path("type").asText();
    checkType(spec, type, errors);
    ServicePortRules.check(spec, errors);
    PodFields.labels(spec.path("selector"), SPEC.child("selector"), errors);
    checkAffinity(spec, errors);
    ServiceAddressRules.check(spec, errors);
    checkExternalAddresses(spec, errors);
    CommonChecks.oneOf(type, TYPES, SPEC.child("type"), errors);
    ServicePortRules.checkNodePorts(spec, errors);
    ServicePortRules.checkDuplicates(spec, errors);
    checkLoadBalancer(spec, type, errors);
    checkTraffic(spec, type, errors);
    checkDistribution(spec, errors);
  }

  private static boolean isHeadless(JsonNode spec) {
    return spec.path("clusterIP").asText().equals("None");
  }

  private static void checkType(JsonNode spec, String type, FieldErrors errors) {
    if (spec.path("ports").isEmpty() && !isHeadless(spec) && !type.equals("ExternalName")) {
      errors.required(SPEC.child("ports"), "");
    }
    switch (type) {
      case "LoadBalancer" -> {
        ServicePortRules.checkExposed(spec, errors);
        checkNotHeadless(spec, type, errors);
      }
      case "NodePort" -> checkNotHeadless(spec, type, errors);
      case "ExternalName" -> checkExternalName(spec, errors);
      default -> {}
    }
  }

  private static void checkNotHeadless(JsonNode spec, String type, FieldErrors errors) {
    if (isHeadless(spec)) {
      errors.invalid(
          SPEC.child("clusterIPs").index(0),
          "None",
          "may not be set to 'None' for " + type + " services");
    }
  }

  private static void checkExternalName(JsonNode spec, FieldErrors errors) {
    for (String field : new String[] {"clusterIPs", "ipFamilies", "ipFamilyPolicy"}) {
      if (spec.hasNonNull(field)) {
        errors.forbidden(SPEC.child(field), NOT_FOR_EXTERNAL_NAME);
      }
    }
    String name = spec.path("externalName").asText().replaceFirst("\\.$", "");
    if (name.isEmpty()) {
      errors.required(SPEC.child("externalName"), "");
    } else {
      errors.invalid(SPEC.child("externalName"), name, NameRules.dns1123Subdomain(name));
    }
  }

  private static void checkAffinity(JsonNode spec, FieldErrors errors) {
    String affinity = spec.path("sessionAffinity").asText();
    CommonChecks.oneOf(
        affinity, List.of("ClientIP", "None"), SPEC.child("sessionAffinity"), errors);
    FieldPath path = SPEC.child("sessionAffinityConfig");
    JsonNode config = spec.path("sessionAffinityConfig");
    if (affinity.equals("None") && config.isObject()) {
      errors.forbidden(path, "must not be set when session affinity is None");
    }
    if (affinity.equals("ClientIP")) {
      JsonNode timeout = config.path("clientIP").path("timeoutSeconds");
      FieldPath timeoutPath = path.child("clientIP").child("timeoutSeconds");
      if (!timeout.isNumber()) {
        errors.required(timeoutPath, "when session affinity type is ClientIP");
      } else if (timeout.asInt() <= 0 || timeout.asInt() > LONGEST_AFFINITY) {
        errors.invalid(
            timeoutPath,
            timeout.asInt(),
            "must be greater than 0 and less than " + LONGEST_AFFINITY);
      }
    }
  }

  private static void checkExternalAddresses(JsonNode spec, FieldErrors errors) {
    JsonNode external = spec.path("externalIPs");
    for (int i = 0; i < external.size(); i++) {
      FieldPath path = SPEC.child("externalIPs").index(i);
      String address = external.get(i).asText();
      if (IpRules.parse(address).isEmpty()) {
        IpRules.checkAddress(address, path, errors);
      } else {
        IpRules.checkOrdinary(address, path, errors);
      }
    }
  }

  private static void checkLoadBalancer(JsonNode spec, String type, FieldErrors errors) {
    boolean balanced = type.equals("LoadBalancer");
    FieldPath ranges = SPEC.child("LoadBalancerSourceRanges");
    JsonNode list = spec.path("loadBalancerSourceRanges");
    if (!balanced && !list.isEmpty()) {
      errors.forbidden(ranges, ONLY_LOAD_BALANCER);
    }
    for (int i = 0; i < list.size(); i++) {
      IpRules.checkRange(list.get(i).asText().strip(), ranges.index(i), errors);
    }
    boolean allocates = spec.hasNonNull("allocateLoadBalancerNodePorts");
    if (allocates && !balanced) {
      errors.forbidden(SPEC.child("allocateLoadBalancerNodePorts"), ONLY_LOAD_BALANCER);
    }
    if (spec.hasNonNull("loadBalancerClass")) {
      checkClass(spec.path("loadBalancerClass").asText(), balanced, errors);
    }
  }

  private static void checkClass(String name, boolean balanced, FieldErrors errors) {
    FieldPath path = SPEC.child("loadBalancerClass");
    if (balanced) {
      errors.invalid(path, name, NameRules.qualifiedName(name));
    } else {
      errors.forbidden(path, ONLY_LOAD_BALANCER);
    }
  }

  private static void checkTraffic(JsonNode spec, String type, FieldErrors errors) {
    boolean reachable =
        type.equals("LoadBalancer")
            || type.equals("NodePort")
            || (type.equals("ClusterIP") && !spec.path("externalIPs").isEmpty());
    String external = spec.path("externalTrafficPolicy").asText();
    FieldPath externalPath = SPEC.child("externalTrafficPolicy");
    if (reachable) {
      CommonChecks.oneOf(external, TRAFFIC, externalPath, errors);
    } else if (!external.isEmpty()) {
      errors.invalid(externalPath, external, "may only be set for externally-accessible services");
    }
    String internal = spec.path("internalTrafficPolicy").asText();
    boolean hasDefault = TYPES.contains(type) && !type.equals("ExternalName");
    if (!internal.isEmpty() || hasDefault) {
      CommonChecks.oneOf(internal, TRAFFIC, SPEC.child("internalTrafficPolicy"), errors);
    }
    JsonNode healthPort = spec.path("healthCheckNodePort");
    if (healthPort.asInt() != 0 && !(type.equals("LoadBalancer") && external.equals("Local"))) {
      errors.invalid(
          SPEC.child("healthCheckNodePort"),
          healthPort.asInt(),
          "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
    }
  }

  private static void checkDistribution(JsonNode spec, FieldErrors errors) {
    String distribution = spec.path("trafficDistribution").asText();
    if (spec.hasNonNull("trafficDistribution") && !distribution.equals(PREFER_CLOSE)) {
      errors.notSupportedInOrder(
          SPEC.child("trafficDistribution"), distribution, List.of(PREFER_CLOSE));
    }
  }

  @Override
  public void onUpdate(ObjectNode service, ObjectNode old, FieldErrors errors) {
    JsonNode spec = service.path("spec");
    JsonNode before = old.path("spec").path("clusterIPs");
    boolean named =
        spec.path("type").asText().equals("ExternalName")
            || old.path("spec").path("type").asText().equals("ExternalName");
    if (!named && !before.isEmpty() && !before.get(0).equals(spec.path("clusterIPs").path(0))) {
      errors.invalidLiteral(
          SPEC.child("clusterIPs").index(0),
          GoComposites.stringList(spec.path("clusterIPs")),
          FIXED);
    }
    checkClassKept(spec, old.path("spec"), errors);
    onCreate(service, errors);
  }

  /// Another class would mean another load balancer, while the first one still holds the address.
  private static void checkClassKept(JsonNode spec, JsonNode before, FieldErrors errors) {
    boolean stays =
        spec.path("type").asText().equals("LoadBalancer")
            && before.path("type").asText().equals("LoadBalancer");
    JsonNode name = spec.path("loadBalancerClass");
    if (stays && !name.equals(before.path("loadBalancerClass"))) {
      errors.invalidLiteral(
          SPEC.child("loadBalancerClass"),
          name.isTextual() ? GoText.quote(name.asText()) : "null",
          FIXED);
    }
  }

  @Override
  public void onStatusUpdate(ObjectNode service, ObjectNode old, FieldErrors errors) {
    ServiceStatusRules.check(service, errors);
  }
}

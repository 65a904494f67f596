package dev.berth.server.validation.pods;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.containers.ContainerListRules;
import dev.berth.server.validation.containers.ContainerPortRules;
import dev.berth.server.validation.containers.PodScope;
import dev.berth.server.validation.fields.NameRules;
import dev.berth.server.validation.fields.PodFields;
import dev.berth.server.validation.resources.ResourceRules;
import dev.berth.server.validation.security.SecurityOsRules;
import dev.berth.server.validation.security.SecurityRules;
import dev.berth.server.validation.security.SecurityWindowsRules;
import dev.berth.server.validation.volumes.VolumeRules;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The rules of a pod's specification, in pods and in templates, in the order in which clients see
/// them broken.
///
/// The order of the checks is the order of the errors in a message, which is upstream's.
///
/// Upstream's `ValidatePodSpec`; pods and templates differ only where something fills in a template
/// later.
final class PodSpecRules {
  private static final List<String> RESTART_POLICIES = List.of("Always", "OnFailure", "Never");
  private static final List<String> PREEMPTION_POLICIES = List.of("PreemptLowerPriority", "Never");

  private final JsonNode spec;
  private final boolean isPod;
  private final FieldPath path;
  private final FieldErrors errors;

  PodSpecRules(JsonNode spec, boolean isPod, FieldPath path, FieldErrors errors) {
    this.spec = spec;
    this.isPod = isPod;
    this.path = path;
    this.errors = errors;
  }

  /// Checks everything.
  ///
  /// @param podName empty in templates
  void validate(String podName) {
    boolean hasGrace = PodFields.has(spec, "terminationGracePeriodSeconds");
    if (!hasGrace) {
      errors.required(path.child("terminationGracePeriodSeconds"), "");
    }
    // First, because containers may only mount volumes without errors.
    Map<String, JsonNode> volumes =
        new VolumeRules(podName, isPod, errors)
            .validate(spec.path("volumes"), path.child("volumes"));
    Set<String> claims =
        PodClaimRules.validate(spec.path("resourceClaims"), path.child("resourceClaims"), errors);
    PodScope scope =
        new PodScope(
            volumes,
            claims,
            hasGrace ? PodFields.number(spec, "terminationGracePeriodSeconds") : -1,
            PodFields.text(spec, "restartPolicy"),
            !PodFields.has(spec, "hostUsers") || PodFields.isTrue(spec, "hostUsers"));
    new ContainerListRules(spec, scope, path, errors).validate();
    if (PodFields.isTrue(spec, "hostNetwork")) {
      ContainerPortRules.hostNetwork(
          spec.path("containers"), isPod, path.child("containers"), errors);
    }
    placement();
    names();
    ResourceRules.limits(spec.path("overhead"), path.child("overhead"), errors);
    ResourceRules.validate(spec.path("resources"), claims, path.child("resources"), errors);
    SecurityOsRules.validate(spec, path, errors);
    new PodMachineRules(scope, errors).validate(spec, path);
  }

  private void placement() {
    oneOf("restartPolicy", RESTART_POLICIES);
    PodNetworkRules.dnsPolicy(spec, path, errors);
    PodFields.labels(spec.path("nodeSelector"), path.child("nodeSelector"), errors);
    SecurityRules.pod(spec, path, errors);
    JsonNode affinity = spec.path("affinity");
    if (!affinity.isEmpty()) {
      new AffinityRules(errors).validate(affinity, path.child("affinity"));
    }
    PodNetworkRules.dnsConfig(spec, path, errors);
    gates();
    PodTopologyRules.validate(
        spec.path("topologySpreadConstraints"), path.child("topologySpreadConstraints"), errors);
    SecurityWindowsRules.hostProcess(spec, path, errors);
    SecurityRules.hostUsers(spec, path, errors);
  }

  // Readiness gates are KEP-580, scheduling gates KEP-3521.
  private void gates() {
    JsonNode readiness = spec.path("readinessGates");
    for (int i = 0; i < readiness.size(); i++) {
      String type = PodFields.text(readiness.get(i), "conditionType");
      errors.invalid(
          path.child("readinessGates").index(i).child("conditionType"),
          type,
          NameRules.qualifiedName(type));
    }
    JsonNode scheduling = spec.path("schedulingGates");
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < scheduling.size(); i++) {
      String name = PodFields.text(scheduling.get(i), "name");
      FieldPath at = path.child("schedulingGates").index(i);
      errors.invalid(at, name, NameRules.qualifiedName(name));
      if (!seen.add(name)) {
        errors.duplicate(at, name);
      }
    }
  }

  private void names() {
    PodFields.subdomain(spec, "serviceAccountName", path, errors);
    PodFields.subdomain(spec, "nodeName", path, errors);
    if (PodFields.has(spec, "activeDeadlineSeconds")) {
      long deadline = PodFields.number(spec, "activeDeadlineSeconds");
      if (deadline < 1 || deadline > Integer.MAX_VALUE) {
        errors.invalid(
            path.child("activeDeadlineSeconds"),
            deadline,
            "must be between 1 and 2147483647, inclusive");
      }
    }
    PodFields.label(spec, "hostname", path, errors);
    PodFields.label(spec, "subdomain", path, errors);
    TolerationRules.validate(spec.path("tolerations"), path.child("tolerations"), errors);
    PodNetworkRules.hostAliases(spec.path("hostAliases"), path.child("hostAliases"), errors);
    PodFields.subdomain(spec, "priorityClassName", path, errors);
    // KEP-585: an empty name is the default class; upstream refuses it.
    PodFields.subdomain(spec, "runtimeClassName", path, errors);
    if (PodFields.has(spec, "preemptionPolicy")) {
      oneOf("preemptionPolicy", PREEMPTION_POLICIES);
    }
  }

  private void oneOf(String field, List<String> supported) {
    String value = PodFields.text(spec, field);
    if (value.isEmpty()) {
      errors.required(path.child(field), "");
    } else if (!supported.contains(value)) {
      errors.notSupportedInOrder(path.child(field), value, supported);
    }
  }
}
